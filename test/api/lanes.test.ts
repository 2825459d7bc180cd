// What shares a connection and what doesn't: errors stay with their own request, a broken
// connection fails only what was on it, and a refusal costs no new connection.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProducts, quoteRequest } from '../setup/catalogue.ts'

let api: TestApi

beforeAll(async () => {
  api = await createApi()
  await createProducts(api.db, api.tenant)
})
afterAll(() => api.close())

const nobody = '01993c4e-3f0a-7c63-9d3c-0a4d1b7be111'

/** Process ids of the API's connections. */
async function connections(): Promise<number[]> {
  const { rows } = await api.db.owner.query<{ pid: number }>(
    `select pid from pg_stat_activity
    where datname = current_database() and application_name = 'svc_api' order by pid`,
  )
  return rows.map(({ pid }) => pid)
}

it('keeps the errors of quick reads apart', async () => {
  const paths = Array.from({ length: 200 }, (_, index) => (index % 2 ? '/products' : `/quotes/${nobody}`))
  const answers = await Promise.all(paths.map((path) => api.send('GET', path)))
  expect(answers.map(({ status }) => status)).toEqual(paths.map((_, index) => (index % 2 ? 200 : 404)))
})

it('goes on after its connections were cut', async () => {
  const cut = await connections()
  await api.db.owner.query('select pg_terminate_backend(pid) from unnest($1::integer[]) as pid', [cut])
  let last = 503
  for (let attempt = 0; attempt < 50 && last === 503; attempt += 1) last = (await api.send('GET', '/products')).status
  expect(last).toBe(200)
})

it('keeps its connection when a business rule refuses a write', async () => {
  const refuse = () =>
    api.send('POST', '/quotes', { headers: freshKey(), body: quoteRequest({ product_code: 'NONE' }) })
  expect((await refuse()).status).toBe(404)
  const before = await connections()
  expect((await refuse()).status).toBe(404)
  expect(await connections()).toEqual(before)
})
