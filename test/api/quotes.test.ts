import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProducts, quoteRequest } from '../setup/catalogue.ts'

let api: TestApi
beforeAll(async () => {
  api = await createApi()
  await createProducts(api.db, api.tenant)
})
afterAll(() => api.close())

describe('POST /quotes 201', () => {
  it('puts a quote into the queue', async () => {
    const answer = await api.send('POST', '/quotes', { headers: freshKey(), body: quoteRequest() })
    expect(answer).toMatchObject({ status: 201, body: { status: 'open', source: 'api' } })
    const read = await api.send('GET', `/quotes/${answer.body.id}`)
    expect(read.text).toBe(answer.text)
  })
})
