// More writes than the database takes on: those that can't be served hear it, in time, and
// nobody else has to wait.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type pg from 'pg'
import { type Answer, type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProducts, quoteRequest } from '../setup/catalogue.ts'

let api: TestApi
let holder: pg.PoolClient
beforeAll(async () => {
  api = await createApi()
  await createProducts(api.db, api.tenant)
  holder = await api.db.owner.connect()
})
afterAll(async () => {
  holder.release()
  await api.close()
})

/** More than may run and wait at once. */
const tooMany = 700

const write = (): Promise<Answer> =>
  api.send('POST', '/quotes', { headers: freshKey(), body: quoteRequest() })

it('writes that pile up behind a lock are refused with 503, while reads go on', async () => {
  await holder.query('begin; lock table app.quotes in access exclusive mode')
  const answered: Answer[] = []
  const writes = Array.from({ length: tooMany }, async () => void answered.push(await write()))

  // Those for whom there is no room are told at once, before any other can have been served.
  while (answered.length < 100) expect((await api.send('GET', '/products')).status).toBe(200)
  for (const { status, headers, body } of answered) {
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body).toMatchObject({ code: 'service_unavailable' })
  }
  await holder.query('commit')
  await Promise.all(writes)

  const statuses = new Set(answered.map(({ status }) => status))
  expect(statuses).toEqual(new Set([201, 503]))
  const { rows } = await api.db.owner.query<{ count: number }>('select count(*)::int as count from app.quotes')
  expect(rows[0]?.count).toBe(answered.filter(({ status }) => status === 201).length)
  expect((await write()).status).toBe(201)
})
