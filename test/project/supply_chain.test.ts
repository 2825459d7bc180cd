// What an install brings: from where, under which licences, and what it may run.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { isAllowed, locks, nameOf, packagesOf, refusedOf } from '../../tools/licences.ts'

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))

describe.each(locks)('%s', (lock) => {
  it('names no host: each registry serves it', () => {
    expect(packagesOf(lock).filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  })

  it('pins each package by its sum', () => {
    const unpinned = packagesOf(lock).filter(([, { integrity, link }]) => !integrity && !link)
    expect(unpinned.map(([path]) => path)).toEqual([])
  })

  it('holds free licences only', () => {
    expect(refusedOf(lock)).toEqual([])
  })
})

describe('a licence', () => {
  it.each(['MIT', '(MIT OR GPL-3.0)', 'Apache-2.0 AND MIT'])('may be %s', (licence) => {
    expect(isAllowed(licence)).toBe(true)
  })

  it.each(['GPL-3.0', 'AGPL-3.0-only', 'MIT AND GPL-2.0', 'SEE LICENSE IN LICENSE', 'none', ''])('may NOT be %s', (licence) => {
    expect(isAllowed(licence)).toBe(false)
  })
})

describe('install scripts', () => {
  it('run for the packages that need theirs, and for no other', () => {
    const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> }
    const scripted = packagesOf('package-lock.json')
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => nameOf(path))
    const undecided = [...new Set(scripted)].filter((name) => !Object.hasOwn(allowScripts, name))
    expect(undecided).toEqual([])
  })
})

describe('docs/dependencies.md', () => {
  it('says of each package why it is here', () => {
    const text = readFileSync(new URL('../../docs/dependencies.md', import.meta.url), 'utf8')
    const { dependencies, devDependencies } = read('package.json')
    const names = [...Object.keys(dependencies), ...Object.keys(devDependencies)]
    const unsaid = names.filter((name) => !name.startsWith('@types/') && !new RegExp(`^\\|[^|]*(?<![\\w/-])${name}(?![\\w/-])[^|]*\\|`, 'm').test(text))
    expect(unsaid).toEqual([])
  })
})
