// What an install brings: from where, under which licences, and what it may run.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'

type Package = {
  version?: string
  license?: string
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
  link?: boolean
}

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))

const locks = ['package-lock.json', 'tools/package-lock.json']
const packagesOf = (lock: string): [string, Package][] =>
  Object.entries(read(lock).packages as Record<string, Package>).filter(([path]) => path !== '')

// Free to use, to change and to ship, without a duty to publish one's own code. MPL asks
// that changes to its own files be shown.
const allowed = new Set([
  '0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'CC-BY-4.0',
  'ISC', 'MIT', 'MIT-0', 'MPL-2.0', 'PostgreSQL', 'Python-2.0', 'Unlicense', 'Zlib',
])

/** `(MIT OR CC0-1.0)`: one that is allowed is enough; of `AND` each must be. */
const isAllowed = (licence: string): boolean =>
  licence
    .replaceAll(/[()]/g, '')
    .split(/ OR /i)
    .some((choice) => choice.split(/ AND /i).every((part) => allowed.has(part.trim())))

// These say it in their LICENSE or Readme, and not where npm looks.
const saidElsewhere = new Set([
  'buildcheck', 'busboy', 'cpu-features', 'dicer', 'humanize-number', 'only', 'ssh2', 'streamsearch',
])

const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

describe.each(locks)('%s', (lock) => {
  it('names no host: each registry serves it', () => {
    expect(packagesOf(lock).filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  })

  it('pins each package by its sum', () => {
    const unpinned = packagesOf(lock).filter(([, { integrity, link }]) => !integrity && !link)
    expect(unpinned.map(([path]) => path)).toEqual([])
  })

  it('holds free licences only', () => {
    const others = packagesOf(lock)
      .map(([path, { license }]) => [path, license ?? (saidElsewhere.has(nameOf(path)) ? 'MIT' : 'none')] as const)
      .filter(([, licence]) => !isAllowed(licence))
    expect(others).toEqual([])
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
