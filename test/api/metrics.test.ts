// What the operator sees of the database's part in a request.
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pino from 'pino'
import { type TestApi, createApi } from '../setup/api.ts'

let api: TestApi
const lines: Record<string, unknown>[] = []

beforeAll(async () => {
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>)
      done()
    },
  })
  api = await createApi({ log: pino({ level: 'warn' }, stream), slowStatementMs: 0 })
})
afterAll(() => api.close())

it('splits the time of a statement into queue and database', async () => {
  await api.send('GET', '/me')
  await api.send('GET', '/orders')
  const text = await api.metrics.text()
  for (const operation of ['read_identity', 'list_orders']) {
    for (const part of ['queue', 'database']) {
      expect(text).toContain(
        `database_statement_duration_seconds_count{operation="${operation}",part="${part}"} 1`,
      )
    }
  }
})

it('shows what is under way', async () => {
  const text = await api.metrics.text()
  for (const where of ['pipeline', 'pool', 'waiting']) {
    expect(text).toContain(`database_statements{where="${where}"} 0`)
  }
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
})

it('logs a slow statement with the request id', async () => {
  await api.send('GET', '/me', { headers: { 'X-Request-Id': 'slow-1' } })
  const found = lines.find((line) => line['request_id'] === 'slow-1')
  expect(found).toMatchObject({ msg: 'slow statement', operation: 'read_identity' })
})
