// The corpus of hostile requests, sent over sockets to the real server: no 5xx, every
// answer in the envelope, nothing forged into the log or the answers, and a process and a
// database that are as before.
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { makeKey } from '../../src/api_key.ts'
import { errorCodes, isErrorCode } from '../../src/http/error_codes.ts'
import { type TestGraphql, createAnalyst, createTestGraphql } from '../setup/analytics.ts'
import { type TestApi, createApi } from '../setup/api.ts'
import { createAppraiser, createProducts } from '../setup/catalogue.ts'
import { createKey, createTenant, digestOf } from '../setup/database.ts'
import { createQuote } from '../setup/documents.ts'
import { type HostileCase, hostileCases } from './hostile.cases.ts'

let api: TestApi
let graphql: TestGraphql
let corpus: HostileCase[]
let chunks: string[]

beforeAll(async () => {
  chunks = []
  const log = pino({ level: 'trace' }, { write: (chunk: string) => void chunks.push(chunk) })
  api = await createApi({ log })
  await createProducts(api.db, api.tenant)
  await createAppraiser(api.db, api.tenant, { covers: [['CA']], fees: [['450', 5]] })
  const other = await createTenant(api.db)
  graphql = await createTestGraphql(api.db, { log })
  corpus = hostileCases({
    key: api.tenant.key,
    foreignKey: other.key,
    quoteId: await createQuote(api),
    analyst: await createAnalyst(api.db, [api.tenant]),
  })
})
afterAll(async () => {
  await graphql.close()
  await api.close()
})

type Reply = { status: number; headers: Map<string, string>; body: string; isHead: boolean }

/** Sends bytes and gives the answers, in order, once the server has hung up. */
async function exchange({ bytes, listener, isCutOff }: HostileCase): Promise<Reply[]> {
  const { hostname, port } = new URL(listener === 'api' ? api.url : graphql.url)
  const sent = bytes()
  const received = await new Promise<Buffer>((resolve) => {
    const parts: Buffer[] = []
    const socket = connect(Number(port), hostname)
    socket.on('data', (part: Buffer) => parts.push(part))
    // What is refused while it is on its way may be cut; what came back counts.
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(parts)))
    socket.write(sent)
    if (isCutOff) socket.end()
  })
  return repliesOf(received, sent.subarray(0, 5).toString() === 'HEAD ')
}

function repliesOf(bytes: Buffer, isHead: boolean): Reply[] {
  const replies: Reply[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? 999)
    const headers = new Map(lines.map(nameAndValue))
    // An answer that doesn't say how long it is takes all that is left.
    const length = Number(headers.get('content-length') ?? (status < 200 ? 0 : rest.length))
    const body = rest.subarray(end + 4, end + 4 + (isHead ? 0 : length)).toString()
    if (status >= 200) replies.push({ status, headers, body, isHead })
    rest = rest.subarray(end + 4 + Buffer.byteLength(body))
  }
  return replies
}

const nameAndValue = (line: string): [string, string] => {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

// Words of our own inside, which no answer may show.
const leaks = /node_modules|\.ts:\d|at \w+ \(|syntax error|plpgsql|PostgreSQL|pg_catalog|svc_api|PT4\d\d/

function faultsOf(reply: Reply, { listener }: HostileCase): string[] {
  const { status, headers, body, isHead } = reply
  const requestId = headers.get('x-request-id')
  const isEnveloped = status < 400 || isHead || isEnvelope(reply, requestId, listener)
  return [
    status >= 500 ? `status ${status}` : '',
    requestId ? '' : 'no X-Request-Id',
    isEnveloped ? '' : 'no envelope',
    status >= 400 && leaks.test(body) ? 'a leak' : '',
    headers.has('x-forged') ? 'a forged header' : '',
  ].filter((fault) => fault !== '')
}

/** Of the API, with a code of the list; GraphQL answers in the form of its own standard. */
function isEnvelope({ status, headers, body: text }: Reply, requestId: string | undefined, listener: string): boolean {
  const body = parsed(text)
  if (listener === 'internal' && Array.isArray(body.errors)) return true
  const code = String(body.code)
  const names = new Set(Object.keys(body))
  const isWhole = ['code', 'message', 'request_id'].every((name) => names.has(name))
  const isListed = isErrorCode(code) && errorCodes[code].status === status
  const isLinked = listener === 'internal' || headers.get('link') === `</docs/errors/${code}>; rel="help"`
  const isSmall = names.size === (names.has('detail') ? 4 : 3)
  return isWhole && isListed && isLinked && isSmall && body.request_id === requestId
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** Sends the whole corpus, four at a time, and gives what is wrong with the answers. */
async function sendAll(): Promise<{ faults: string[]; answers: number }> {
  const faults: string[] = []
  const waiting = [...corpus]
  let answers = 0
  const sender = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const replies = await exchange(next)
      answers += replies.length
      const found = replies.flatMap((reply) => faultsOf(reply, next as HostileCase).map((fault) => `${fault}: ${reply.status} ${reply.body.slice(0, 200)}`))
      if (replies.length === 0 && !next.isCutOff) found.push('no answer')
      faults.push(...found.map((fault) => `${next?.family}, ${next?.name}: ${fault}`))
    }
  }
  await Promise.all(Array.from({ length: 4 }, sender))
  return { faults, answers }
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const heapAfterCollection = (): number => {
  collect()
  collect()
  return process.memoryUsage().heapUsed + process.memoryUsage().external
}

const countRows = async (): Promise<unknown> => {
  const { rows } = await api.db.owner.query(`
    select
      (select count(*) from app.tenants) as tenants,
      (select count(*) from auth.api_keys) as keys,
      (select count(*) from app.quotes where tenant_id <> $1) as foreign_quotes,
      (select count(*) from app.organizations where tenant_id <> $1) as foreign_organizations,
      (select count(*) from pg_catalog.pg_class where relnamespace = 'app'::regnamespace) as tables`, [api.tenant.id])
  return rows[0]
}

describe('the corpus', () => {
  it('has a thousand requests, to every operation', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(1000)
    expect(new Set(corpus.map(({ family, name }) => `${family}, ${name}`)).size).toBe(corpus.length)
  })

  it('is answered without a 5xx, in the envelope, and leaves nothing behind', async () => {
    const before = await countRows()
    const { faults, answers } = await sendAll()
    expect(faults).toEqual([])
    expect(answers).toBeGreaterThanOrEqual(1000)
    expect(await countRows()).toEqual(before)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect((await api.send('GET', '/me')).status).toBe(200)
  })

  it('forges nothing into the log', () => {
    const lines = chunks.join('').split('\n').slice(0, -1)
    const records = lines.map((line) => JSON.parse(line) as { msg: string; request_id?: string })
    // One record a write, and the strange characters of a request nowhere.
    expect(lines.length).toBe(chunks.length)
    expect(lines.filter((line) => /[^\x20-\x7e…’]/.test(line))).toEqual([])
    expect(records.filter(({ msg }) => msg.includes('forged'))).toEqual([])
    expect(lines.filter((line) => line.includes('forged-record'))).toEqual([])
  })

  it('leaves memory where it was', async () => {
    chunks.length = 0
    const before = heapAfterCollection()
    await sendAll()
    chunks.length = 0
    expect(heapAfterCollection() / before).toBeLessThan(1.25)
  })
})

describe('a key that is refused', () => {
  const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

  // Kinds take turns, so that what else the machine does meets all of them alike.
  async function medians(keys: string[][]): Promise<number[]> {
    const times: number[][] = keys.map(() => [])
    for (let round = 0; round < 150; round += 1) {
      for (const [kind, some] of keys.entries()) {
        const start = performance.now()
        const answer = await api.send('GET', '/me', { key: some[round % some.length] ?? '' })
        times[kind]?.push(performance.now() - start)
        expect(answer.status).toBe(401)
      }
    }
    return times.map(median)
  }

  it('takes as long whether the database knows it or not', async () => {
    const known = [await createKey(api.db, api.tenant.id), await createKey(api.db, api.tenant.id)]
    await api.db.owner.query('update auth.api_keys set revoked_at = now() where digest = any($1)', [known.map(digestOf)])
    const unknown = Array.from({ length: 20 }, () => makeKey('test').key)
    await medians([unknown, known])
    const [ofUnknown = 0, ofKnown = 0] = await medians([unknown, known])
    expect(Math.max(ofUnknown, ofKnown) / Math.min(ofUnknown, ofKnown)).toBeLessThan(1.6)
  })
})
