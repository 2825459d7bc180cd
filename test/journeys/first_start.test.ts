// The first start says all that a newcomer needs: a key, the addresses, and lines that
// work when they are pasted as they stand.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { welcome } from '../../src/demo_text.ts'
import { type Deployment, startDeployment } from '../setup/process.ts'

let dataDir: string
let deployment: Deployment
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'first-start-'))
  deployment = await startDeployment({ DATA_DIR: dataDir })
})
afterAll(async () => {
  await deployment.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** The commands below "Try it:", each with the lines that it goes on in. */
function commandsOf(output: string): string[] {
  const [, text = ''] = output.split('Try it:\n')
  return text
    .split(/^(?= {2}curl )/m)
    .filter((part) => part.startsWith('  curl'))
    .map((part) => part.split('\n\n')[0] ?? '')
}

const paste = async (command: string): Promise<unknown> => {
  const { stdout } = await promisify(execFile)('bash', ['-c', command])
  return JSON.parse(stdout)
}

describe('the first start', () => {
  it('prints three lines that work when pasted', async () => {
    const commands = commandsOf(deployment.output)
    expect(commands).toHaveLength(3)
    const [products, fee, quote] = await Promise.all(commands.map(paste))
    expect(products).toContainEqual({ code: 'URAR', name: expect.any(String), is_active: true })
    expect(fee).toMatchObject({ product_code: 'URAR', covered: true, fee: expect.any(String) })
    expect(quote).toMatchObject({ id: expect.any(String), status: 'open', product_code: 'URAR' })
  })

  it('prints the addresses of the ready line, which is one line', () => {
    const ready = deployment.output.match(/^ready .*$/gm) ?? []
    expect(ready).toHaveLength(1)
    const urls = JSON.parse(ready[0]?.slice('ready '.length) ?? '') as Record<string, string>
    expect(Object.keys(urls)).toEqual(['api', 'graphql', 'docs'])
    expect(deployment.output).toContain(`  API            ${urls['api']}/public/v1\n`)
    expect(deployment.output).toContain(`  Documentation  ${urls['docs']}\n`)
    expect(deployment.output).toContain(`  GraphQL        ${urls['graphql']}\n`)
  })
})

describe('what production says', () => {
  it('has no lines for a test key, which it refuses', () => {
    const text = welcome({ key: 'svc_test_a', analystToken: 'svc_analyst_a' }, {}, 'production')
    expect(text).not.toContain('curl')
    expect(text).toContain('npm run admin -- key create --tenant demo')
  })
})
