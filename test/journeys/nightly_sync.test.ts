// The example client as a partner runs it: killed while it synchronises, behind a network
// that loses answers, with rows that are wrong.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { fingerprintOf } from '../../examples/nightly-sync/fingerprint.ts'
import { retryAfterMs } from '../../examples/nightly-sync/retry.ts'
import { randomOf } from '../fuzz/random.ts'
import { type TestApi, createApi } from '../setup/api.ts'
import { type Tenant, createKey, createTenant } from '../setup/database.ts'
import {
  type Fields,
  contactRecord,
  record,
  storeOrganization,
  storedDirectory,
} from '../setup/organizations.ts'
import { type Interference, type OnRequest, type Passing, type Proxy, createProxy } from '../setup/proxy.ts'

const example = fileURLToPath(new URL('../../examples/nightly-sync/', import.meta.url))

let api: TestApi
let folder: string
let tenant: Tenant
let proxy: Proxy
let onRequest: OnRequest
beforeAll(async () => {
  api = await createApi()
  folder = await mkdtemp(join(tmpdir(), 'nightly-sync-'))
  proxy = await createProxy(api.url, (passing) => onRequest(passing))
})
afterAll(async () => {
  await proxy.close()
  await api.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  tenant = await createTenant(api.db)
  onRequest = async () => {}
})

type Run = { code: number | null; stdout: string; stderr: string }

function start(args: string[], key = tenant.key): { child: ChildProcess; ended: Promise<Run> } {
  const child = spawn(process.execPath, [join(example, 'nightly_sync.ts'), ...args], {
    env: { PATH: process.env['PATH'], API_KEY: key, API_BASE_URL: proxy.url },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }))
  return { child, ended }
}

const run = (...args: string[]): Promise<Run> => start(args).ended

let serial = 0

/** Writes a CSV and gives its path. */
async function csv(rows: Fields[], name = `file-${(serial += 1)}.csv`): Promise<string> {
  const columns = Object.keys(rows[0] ?? {})
  const line = (cells: unknown[]) =>
    cells.map((cell) => `"${String(cell ?? '').replaceAll('"', '""')}"`).join(',')
  const path = join(folder, name)
  const lines = rows.map((row) => line(columns.map((column) => row[column])))
  await writeFile(path, [line(columns), ...lines, ''].join('\n'))
  return path
}

const lenders = (...references: string[]): Fields[] =>
  references.map((reference) => ({
    external_reference: reference,
    name: `Bank ${reference}`,
    client_type: 'lender',
  }))

const stored = async (): Promise<Fields[]> => storedDirectory(api.db, tenant)
const names = async (): Promise<unknown[]> => (await stored()).map(({ name }) => name)

const phoneOf = (index: number): string => `(626) 555-${String(index).padStart(4, '0')}`

/** An organization as the CSV has it, every third an AMC. */
const organizationOf = (index: number): Fields => ({
  external_reference: `CRM-${index}`,
  external_source: 'crm',
  name: `Organization ${String(index).padStart(4, '0')}, "${index % 7}"`,
  client_type: index % 3 === 0 ? 'amc' : 'lender',
  phone: phoneOf(index),
  email: `orders${index}@example.com`,
  website: `https://${index}.example`,
  address_line1: `${index} Main St`,
  address_line2: index % 2 === 0 ? `Suite ${index}` : null,
  city: 'Pasadena',
  state: 'CA',
  postal_code: String(90_000 + index),
  account_number: `AC-${index}`,
  amc_license_number: index % 3 === 0 ? `L-${index}` : null,
  notes: `Row ${index}\nof the file.`,
  is_active: index % 11 !== 0,
  paid_when_paid: index % 5 === 0,
})

const contactOf = (index: number): Fields => ({
  external_reference: `P-${index}`,
  display_name: `Ann ${index}`,
  email: `ann${index}@example.com`,
  phone: index % 2 === 0 ? phoneOf(index) : null,
  contact_type: 'billing',
  is_primary: true,
})

const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000)

describe(`5,000 organizations, and ten kills (KILL_SEED=${seed})`, () => {
  const indexes = Array.from({ length: 5000 }, (_, index) => index)
  const random = randomOf(seed)
  const moments = ['before', 'between', 'after'] as const

  // Kills it at its second to fourth request from here on: before the API has it, before
  // the answer leaves, or some time after.
  async function runToItsDeath(args: string[]): Promise<void> {
    const { child, ended } = start(args)
    let left = 2 + random.below(3)
    const moment = random.pick(moments)
    const delay = random.below(40)
    onRequest = async ({ forward }) => {
      left -= 1
      if (left !== 0) return
      if (moment !== 'before') await forward()
      if (moment === 'after') setTimeout(() => child.kill('SIGKILL'), delay)
      else child.kill('SIGKILL')
    }
    const { code, stderr } = await ended
    expect([code, child.signalCode, stderr.includes('Error')]).toEqual([null, 'SIGKILL', false])
  }

  it('end with each of them once, each right; a second run changes nothing', async () => {
    const people = indexes.filter((index) => index % 4 === 0)
    const file = await csv(indexes.map(organizationOf))
    const contacts = await csv(
      people.map((index) => ({ organization_external_reference: `CRM-${index}`, ...contactOf(index) })),
    )
    const args = ['--contacts', contacts, file]
    for (let kill = 0; kill < 10; kill += 1) await runToItsDeath(args)

    onRequest = async () => {}
    const last = await run(...args)
    expect(last).toMatchObject({ code: 0, stdout: expect.stringMatching(/^goes on after \d+ rows\n/) })
    expect(last.stdout).toMatch(/\n5000 created, 0 updated, 0 refused\n$/)

    const directory = await stored()
    expect(directory).toHaveLength(5000)
    for (const [index, organization] of directory.entries()) {
      const [contact] = organization['contacts'] as Fields[]
      const expected =
        index % 4 === 0 ? [contactRecord({ id: contact?.['id'], ...contactOf(index) })] : []
      expect(organization).toEqual(
        record({
          id: organization['id'],
          ...organizationOf(index),
          company_name: organizationOf(index)['name'],
          contacts: expected,
        }),
      )
    }

    const again = await run(...args)
    expect(again).toMatchObject({ code: 0, stdout: '0 created, 5000 updated, 0 refused\n' })
    expect(await stored()).toEqual(directory)
    // Twelve runs, one after the other.
  }, 600_000)
})

describe('a network that fails', () => {
  const refusal = (code: string) => ({ code, message: code, request_id: 'a' })
  const interferences: [string, (passing: Passing) => Promise<Interference>][] = [
    ['loses the answer', async ({ forward }) => forward().then(() => 'lost')],
    ['loses the request', async () => 'lost'],
    ['is too busy', async () => ({ status: 503, headers: { 'Retry-After': '1' }, body: refusal('service_unavailable') })],
    ['has a quota', async () => ({ status: 429, headers: { 'Retry-After': '1' }, body: refusal('rate_limited') })],
    ['is at it still', async () => ({ status: 409, headers: { 'Retry-After': '1' }, body: refusal('idempotency_in_progress') })],
    ['has a gateway', async () => ({ status: 502, body: {} })],
  ]

  it.each(interferences)('%s: the request is repeated with its key', async (_name, interfere) => {
    const seen: Passing[] = []
    onRequest = async (passing) => {
      seen.push(passing)
      return seen.length <= 2 ? interfere(passing) : undefined
    }
    expect(await run(await csv(lenders('1', '2')))).toMatchObject({
      code: 0,
      stdout: '2 created, 0 updated, 0 refused\n',
    })
    expect(seen).toHaveLength(3)
    expect(new Set(seen.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`)).size).toBe(1)
    expect(await names()).toEqual(['Bank 1', 'Bank 2'])
  })

  it.each([
    ['3', 3000],
    ['Sat, 21 Nov 2026 06:00:05 GMT', 5000],
    ['Sat, 21 Nov 2026 05:00:00 GMT', 0],
    ['soon', 0],
    [null, 0],
  ])('Retry-After %p is %p ms', (value, ms) => {
    const response = new Response(null, value === null ? {} : { headers: { 'Retry-After': value } })
    expect(retryAfterMs(response, Date.UTC(2026, 10, 21, 6))).toBe(ms)
  })
})

describe('rows that are wrong', () => {
  it('are told in a file, and the others are saved', async () => {
    await storeOrganization(api.db, tenant, { name: 'Bank 3', external_reference: 'other' })
    const rows = lenders('1', '2', '3', '4', '4', '')
    Object.assign(rows[1] ?? {}, { state: 'XX' })
    const file = await csv(rows.map((row) => ({ state: 'CA', ...row })))
    const { code, stdout } = await run(file)
    expect([code, stdout]).toEqual([1, '2 created, 0 updated, 4 refused\n'])
    expect(await names()).toEqual(['Bank 1', 'Bank 3', 'Bank 4'])
    const errors = (await readFile(`${file}.errors.csv`, 'utf8')).trim().split('\n')
    expect(errors.map((line) => line.split(',').slice(0, 3).join(','))).toEqual([
      'line,external_reference,code',
      '"3","2","validation_error"',
      '"4","3","name_conflict"',
      '"6","4","row"',
      '"7","","row"',
    ])
  })

  it('empty a field with an empty cell, and leave it without a column', async () => {
    await storeOrganization(api.db, tenant, {
      name: 'Bank 1', external_reference: '1', city: 'Reston', notes: 'Kept',
    })
    await run(await csv(lenders('1').map((row) => ({ ...row, city: null }))))
    expect(await stored()).toMatchObject([{ name: 'Bank 1', city: null, notes: 'Kept' }])
  })
})

describe('exit codes', () => {
  it('0 with --help', async () => {
    const { code, stdout } = await run('--help')
    expect(code).toBe(0)
    expect(stdout).toMatch(/Exit codes/)
  })

  it.each([
    ['without a file', []],
    ['with an unknown option', ['--frob']],
    ['with a file that is missing', ['nowhere.csv']],
  ])('2 %s', async (_name, args) => {
    expect(await run(...args)).toMatchObject({ code: 2, stdout: '' })
  })

  it('2 without a column that is needed', async () => {
    expect(await run(await csv([{ name: 'a' }]))).toMatchObject({ code: 2 })
  })

  it('3 with a key that lacks the scope, and goes on with another', async () => {
    const file = await csv(lenders('1'))
    const key = await createKey(api.db, tenant.id, { scopes: ['organizations:read'] })
    const refused = await start([file], key).ended
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('insufficient_scope') })
    expect(await run(file)).toMatchObject({ code: 0 })
  })

  it('0 for the files of the example, which leave nothing but an empty list of errors', async () => {
    const errors = join(folder, 'example.errors.csv')
    const journal = join(folder, 'example.journal.json')
    const files = ['--contacts', join(example, 'contacts.csv'), join(example, 'organizations.csv')]
    const { code, stdout } = await run('--errors', errors, '--journal', journal, ...files)
    expect([code, stdout]).toEqual([0, '3 created, 0 updated, 0 refused\n'])
    expect(await readFile(errors, 'utf8')).toBe('line,external_reference,code,message\n')
    expect((await readdir(folder)).filter((name) => name.startsWith('example'))).toEqual(['example.errors.csv'])
  })
})

describe('schema.d.ts', () => {
  it('was made from the document of today', async () => {
    const { body } = await api.send('GET', '/openapi.json', { key: '' })
    const types = await readFile(join(example, 'schema.d.ts'), 'utf8')
    expect(types.split('\n')[1]).toBe(`// ${fingerprintOf(body)}`)
  })
})
