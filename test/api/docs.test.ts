// The pages at /docs as HTTP: there without a key, under a strict policy, cached by
// content, every link leading somewhere.
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { request } from 'undici'
import { guides, internalDocs } from '../../src/docs/guides.ts'
import { errorCodes } from '../../src/http/error_codes.ts'
import { type TestApi, createApi } from '../setup/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await createApi()
})
afterAll(() => api.close())

async function load(path: string, headers: Record<string, string> = {}, from = api) {
  const response = await fetch(from.url + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const guidePages = guides.map(({ name }) => `/docs/guides/${name}`)
const errorPages = Object.keys(errorCodes).map((code) => `/docs/errors/${code}`)
const pages = ['/docs', '/docs/', '/docs/guides', '/docs/errors', ...guidePages, ...errorPages]

describe.each(pages)('GET %s 200', (path) => {
  it('is a page under a strict policy', async () => {
    const { status, headers, text } = await load(path)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-request-id': expect.any(String),
    })
    expect(text).not.toMatch(/<script(?! src)|<style| style=| on\w+=/)
    expect(headers.has('set-cookie')).toBe(false)
  })

  it('leads nowhere that is not there', async () => {
    const { text } = await load(path)
    const addresses = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address)
    const own = addresses.filter((address) => !address.startsWith('https:'))
    expect(own.length).toBeGreaterThan(5)
    for (const address of new Set(own)) {
      const target = new URL(address, api.url + path)
      expect(target.origin).toBe(api.url)
      const page = await load(target.pathname)
      expect([address, page.status]).toEqual([address, 200])
      const place = target.hash.slice(1)
      if (place !== '' && !place.startsWith('/')) expect(page.text).toContain(`id="${place}"`)
    }
  })
})

describe('the files in docs', () => {
  it('are each for partners or not', () => {
    const files = readdirSync(new URL('../../docs', import.meta.url))
      .filter((name) => name.endsWith('.md'))
      .map((name) => name.slice(0, -3))
    const written = guides.filter(({ read }) => read === undefined).map(({ name }) => name)
    const known = new Set([...written, ...internalDocs])
    expect(files.filter((name) => !known.has(name))).toEqual([])
  })

  it('show partners nothing that is for operators', async () => {
    const { text } = await load('/docs/guides/webhooks')
    expect(text).toContain('For receivers')
    expect(text).not.toContain('For the operator')
    for (const name of internalDocs) {
      expect((await load(`/docs/guides/${name}`)).status).toBe(404)
    }
  })
})

const signs: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

const plainText = (html: string): string =>
  html.replaceAll(/<[^>]*>/g, '').replaceAll(/&(#?\w+);/g, (whole, name) => signs[name] ?? whole)

describe('a page of an error', () => {
  it('says what happened and how to fix it', async () => {
    for (const [code, { happened, fix }] of Object.entries(errorCodes)) {
      const text = plainText((await load(`/docs/errors/${code}`)).text)
      expect(text).toContain(happened.replaceAll('`', ''))
      expect(text).toContain(fix.replaceAll('`', ''))
    }
  })

  it('is what an answer with the code links to', async () => {
    const { headers } = await load('/public/v1/me')
    const [, target = ''] = /^<(.+)>; rel="help"$/.exec(headers.get('link') ?? '') ?? []
    expect(target).toBe('/docs/errors/unauthorized')
  })
})

describe('a file', () => {
  it('is asked for again, and sent again only when it is another', async () => {
    const first = await load('/docs/assets/page.css')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const etag = first.headers.get('etag') ?? ''
    // fetch would ask for a fresh one in any case.
    const again = (known: string) =>
      request(`${api.url}/docs/assets/page.css`, { headers: { 'If-None-Match': known } })
    const same = await again(etag)
    expect([same.statusCode, await same.body.text()]).toEqual([304, ''])
    const other = await again('"other"')
    expect([other.statusCode, await other.body.text()]).toEqual([200, first.text])
  })

  it('is compressed for who takes it so', async () => {
    const path = '/docs/assets/swagger-ui-bundle.js'
    const packed = await load(path, { 'Accept-Encoding': 'gzip' })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    const plain = await load(path, { 'Accept-Encoding': 'identity' })
    expect(plain.headers.has('content-encoding')).toBe(false)
    expect(packed.text).toBe(plain.text)
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.text.length / 2)
  })
})

describe('404 and 405', () => {
  it.each([
    '/docs/x', '/docs/assets/', '/docs/assets/trial.ts', '/docs/assets/..%2findex.ts',
    '/docs/guides/', '/docs/guides/dependencies', '/docs/errors/no_such_code', '/Docs',
  ])('%s is in the envelope of errors', async (path) => {
    const { status, headers, text } = await load(path)
    expect(status).toBe(404)
    expect(JSON.parse(text)).toEqual({
      code: 'not_found',
      message: expect.any(String),
      request_id: headers.get('x-request-id'),
    })
  })

  it('takes GET and HEAD alone', async () => {
    const head = await fetch(`${api.url}/docs`, { method: 'HEAD' })
    expect(head.status).toBe(200)
    const posted = await fetch(`${api.url}/docs`, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('on a production deployment', () => {
  it('the page may talk to the staging deployment besides its own', async () => {
    const stagingBaseUrl = 'https://staging.example/api/'
    const production = await createApi({ db: api.db, environment: 'live', stagingBaseUrl })
    try {
      const { headers, text } = await load('/docs', {}, production)
      expect(headers.get('content-security-policy')).toContain(
        "connect-src 'self' https://staging.example;",
      )
      expect(text).toContain('data-server="https://staging.example/api"')
    } finally {
      await production.close()
    }
  })
})
