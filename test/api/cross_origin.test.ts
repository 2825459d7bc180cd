// Pages of other origins call staging, as the trial page of a production deployment does.
// They never call production: a live key has no place in a page.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestApi, createApi } from '../setup/api.ts'

let staging: TestApi
let production: TestApi
beforeAll(async () => {
  staging = await createApi()
  production = await createApi({ environment: 'live' })
})
afterAll(async () => {
  await staging.close()
  await production.close()
})

const origin = 'https://partner.example'
const preflight = (api: TestApi, path: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/public/v1${path}`, {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', ...headers },
  })
const allowed = ({ headers }: { headers: Headers }) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

describe('a page of another origin CAN', () => {
  it('ask staging what it may send, without a key', async () => {
    const answer = await preflight(staging, '/quotes')
    expect(answer.status).toBe(204)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, GET, HEAD',
      'access-control-allow-headers':
        'Authorization, X-SVC-Api-Key, Content-Type, Idempotency-Key, X-Request-Id',
    })
  })

  it.each([
    ['GET', '/me', 200],
    ['GET', '/nowhere', 404],
    ['PUT', '/quotes', 405],
    ['GET', '/quotes', 422],
  ])('read what staging answers to %s %s', async (method, path, status) => {
    const answer = await staging.send(method, path, { headers: { Origin: origin } })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const readable = answer.headers.get('access-control-expose-headers')?.split(', ')
    expect(readable).toEqual(
      expect.arrayContaining([
        'X-Request-Id', 'Idempotent-Replayed', 'RateLimit', 'RateLimit-Policy', 'Retry-After',
      ]),
    )
  })
})

describe('a page of another origin can NOT', () => {
  it('call production', async () => {
    const asked = await preflight(production, '/quotes')
    expect(asked.status).toBe(405)
    expect(allowed(asked)).toEqual([])
    const answer = await production.send('GET', '/me', { headers: { Origin: origin } })
    expect(answer.status).toBe(200)
    expect(allowed(answer)).toEqual([])
  })

  it('send what a browser keeps for staging', async () => {
    const answer = await staging.send('GET', '/me', { headers: { Origin: origin } })
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  })

  it('ask at an address that is not there', async () => {
    expect((await preflight(staging, '/nowhere')).status).toBe(404)
  })

  it('read the documentation through a script', async () => {
    const answer = await fetch(`${staging.url}/docs`, { headers: { Origin: origin } })
    expect(allowed(answer)).toEqual([])
  })
})

describe('OPTIONS 405', () => {
  it('is what anybody but a browser gets', async () => {
    const answer = await fetch(`${staging.url}/public/v1/quotes`, { method: 'OPTIONS' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST, GET, HEAD')
    expect(allowed(answer)).toEqual([])
  })
})
