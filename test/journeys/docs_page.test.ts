// The pages at /docs in a real browser: complete without the internet, usable by all,
// and a live key never leaves them.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { makeKey } from '../../src/api_key.ts'
import { type TestApi, createApi } from '../setup/api.ts'
import {
  type Visit,
  chromiumPath,
  seriousViolations,
  startBrowser,
  storedBy,
  visit,
  wireText,
} from '../setup/browser.ts'
import { createProduct } from '../setup/catalogue.ts'

const isCi = Boolean(process.env['CI'])
const describeInBrowser = chromiumPath || isCi ? describe : describe.skip
if (!chromiumPath && !isCi) {
  console.warn('No Chromium is installed: the tests of the pages at /docs are left out.')
}

let browser: Browser
let staging: TestApi
let visited: Visit

beforeAll(async () => {
  if (!chromiumPath && !isCi) return
  browser = await startBrowser()
  staging = await createApi()
  await createProduct(staging.db, staging.tenant, { code: 'URAR' })
})
afterAll(async () => {
  await browser?.close()
  await staging?.close()
})
afterEach(() => visited?.context.close())

const keyField = (page: Page) => page.getByLabel('API key')
const refusal = (page: Page) => page.getByRole('alert')
const block = (page: Page, operation: string) => page.locator(`[id$="-${operation}"].opblock`)

async function open(page: Page, operation: string): Promise<void> {
  await block(page, operation).locator('.opblock-summary-control').click()
  await block(page, operation).getByRole('button', { name: 'Try it out' }).click()
}

/** Sends what an opened operation has in its fields. Gives status and body of the answer. */
async function execute(page: Page, operation: string) {
  await block(page, operation).getByRole('button', { name: 'Execute' }).click()
  const row = block(page, operation).locator('.live-responses-table tr.response, .not-sent')
  await row.waitFor()
  const statuses = row.locator('.response-col_status')
  const status = (await statuses.count()) > 0 ? await statuses.innerText() : ''
  const bodies = row.locator('.highlight-code .language-json')
  const body = (await bodies.count()) > 0 ? await bodies.first().innerText() : ''
  return { status: Number.parseInt(status, 10), text: await row.innerText(), body }
}

const apiRequests = ({ requests }: Visit) =>
  requests.filter((request) => /\/public\/v1\/(?!openapi)/.test(request.url()))

describeInBrowser('the trial page of a staging deployment', () => {
  beforeEach(async () => {
    visited = await visit(browser, `${staging.url}/docs`)
    await block(visited.page, 'list_products').waitFor()
  })

  it('loads without a complaint, a foreign request or anything kept', async () => {
    expect(visited.complaints).toEqual([])
    const foreign = visited.requests
      .map((request) => request.url())
      .filter((url) => !url.startsWith(`${staging.url}/`) && !url.startsWith('data:'))
    expect(foreign).toEqual([])
    expect(await storedBy(visited)).toEqual({ local: {}, session: {}, cookies: [] })
  })

  it('lists products with a test key', async () => {
    const { page } = visited
    await keyField(page).fill(staging.tenant.key)
    await open(page, 'list_products')
    const { status, body } = await execute(page, 'list_products')
    expect(status).toBe(200)
    expect(JSON.parse(body)).toEqual([expect.objectContaining({ code: 'URAR' })])
  })

  it('creates a quote from the example, each time with a new Idempotency-Key', async () => {
    const { page } = visited
    await keyField(page).fill(`Bearer ${staging.tenant.key} `)
    await open(page, 'create_quote')
    const first = await execute(page, 'create_quote')
    expect(first.status).toBe(201)
    const { id } = JSON.parse(first.body) as { id: string }
    const read = await staging.send('GET', `/quotes/${id}`)
    expect(read).toMatchObject({ status: 200, body: { status: 'open', product_code: 'URAR' } })

    const posted = page.waitForResponse((response) => response.request().method() === 'POST')
    await block(page, 'create_quote').getByRole('button', { name: 'Execute' }).click()
    expect((await posted).status()).toBe(201)
    const keys = apiRequests(visited).map((request) => request.headers()['idempotency-key'])
    expect(new Set(keys).size).toBe(2)
    expect(keys).not.toContain(undefined)
    expect(await storedBy(visited)).toEqual({ local: {}, session: {}, cookies: [] })
    expect(visited.complaints).toEqual([])
  })

  it('sends the Idempotency-Key that was typed', async () => {
    const { page } = visited
    await keyField(page).fill(staging.tenant.key)
    await open(page, 'create_quote')
    await page.getByPlaceholder('Idempotency-Key').fill('mine-1')
    await execute(page, 'create_quote')
    const [request] = apiRequests(visited)
    expect(request?.headers()['idempotency-key']).toBe('mine-1')
  })

  it('leads from a refusal to its page', async () => {
    const { page } = visited
    await open(page, 'list_products')
    expect(await execute(page, 'list_products')).toMatchObject({ status: 401 })
    await page.getByRole('link', { name: 'unauthorized' }).click()
    await page.waitForURL('**/docs/errors/unauthorized')
  })

  const live = makeKey('live').key

  it.each([
    ['typed', (page: Page) => keyField(page).pressSequentially(live)],
    ['pasted', (page: Page) => keyField(page).fill(live)],
    ['pasted with a scheme before it', (page: Page) => keyField(page).fill(`Bearer  ${live}\n`)],
    ['in another case', (page: Page) => keyField(page).fill(live.toUpperCase())],
  ])('refuses a live key that is %s, and sends nothing', async (_how, enter) => {
    const { page } = visited
    await open(page, 'list_products')
    await enter(page)
    expect(await refusal(page).innerText()).toMatch(/\blive\b/)
    expect(await keyField(page).getAttribute('aria-invalid')).toBe('true')
    const { text } = await execute(page, 'list_products')
    expect(text).toMatch(/\blive\b/)
    expect(apiRequests(visited)).toEqual([])
    expect((await wireText(visited.requests)).toLowerCase()).not.toContain(live.toLowerCase())
    expect(await storedBy(visited)).toEqual({ local: {}, session: {}, cookies: [] })
  })

  it('refuses a live key after a test key, too', async () => {
    const { page } = visited
    await keyField(page).fill(staging.tenant.key)
    await keyField(page).fill(live)
    await open(page, 'list_products')
    await execute(page, 'list_products')
    expect(apiRequests(visited)).toEqual([])
  })

  it('refuses a live key in a header, a parameter or a body', async () => {
    const { page } = visited
    await keyField(page).fill(staging.tenant.key)
    await open(page, 'create_quote')
    await page.getByPlaceholder('Idempotency-Key').fill(live)
    expect(await refusal(page).innerText()).toMatch(/\blive\b/)
    await execute(page, 'create_quote')
    await page.getByPlaceholder('Idempotency-Key').fill('a')
    await page.getByLabel('Request body').fill(JSON.stringify({ notes: live }))
    await execute(page, 'create_quote')
    await open(page, 'find_quote')
    await page.getByPlaceholder('external_reference').fill(live)
    await execute(page, 'find_quote')
    expect(apiRequests(visited)).toEqual([])
    expect(await wireText(visited.requests)).not.toContain(live)
  })

  it('sends nothing with what is no key, and takes a test key after it', async () => {
    const { page } = visited
    await open(page, 'list_products')
    await keyField(page).fill('svc_test_short')
    expect(await refusal(page).innerText()).toMatch(/svc_test_/)
    await execute(page, 'list_products')
    expect(apiRequests(visited)).toEqual([])
    await keyField(page).fill(staging.tenant.key)
    expect(await refusal(page).textContent()).toBe('')
    const answered = page.waitForResponse(/\/products$/)
    await block(page, 'list_products').getByRole('button', { name: 'Execute' }).click()
    expect((await answered).status()).toBe(200)
  })

  it('forgets the key when it is left', async () => {
    const { page } = visited
    await keyField(page).fill(staging.tenant.key)
    await page.reload()
    await block(page, 'list_products').waitFor()
    expect(await keyField(page).inputValue()).toBe('')
  })
})

describeInBrowser('the trial page of a production deployment', () => {
  it('calls the staging deployment that it was told of, and no other', async () => {
    const production = await createApi({ environment: 'live', stagingBaseUrl: staging.url })
    try {
      visited = await visit(browser, `${production.url}/docs`)
      const { page } = visited
      await keyField(page).fill(staging.tenant.key)
      await open(page, 'create_quote')
      expect(await execute(page, 'create_quote')).toMatchObject({ status: 201 })
      const requests = apiRequests(visited)
      expect(requests.length).toBeGreaterThan(0)
      for (const request of requests) expect(new URL(request.url()).origin).toBe(staging.url)
      expect(visited.complaints).toEqual([])

      await keyField(page).fill(production.tenant.key)
      expect(await refusal(page).innerText()).toMatch(/\blive\b/)
      await block(page, 'create_quote').getByRole('button', { name: 'Execute' }).click()
      await block(page, 'create_quote').getByText('No request was sent').waitFor()
      expect(apiRequests(visited)).toEqual(requests)
      expect(await wireText(visited.requests)).not.toContain(production.tenant.key)
    } finally {
      await production.close()
    }
  })

  it('says so and sends nothing when it was told of none', async () => {
    const production = await createApi({ environment: 'live' })
    try {
      visited = await visit(browser, `${production.url}/docs`)
      const { page } = visited
      await block(page, 'list_products').locator('.opblock-summary-control').click()
      expect(await page.getByRole('button', { name: 'Try it out' }).count()).toBe(0)
      expect(await page.getByRole('status').innerText()).toContain('STAGING_BASE_URL')
      await keyField(page).fill(production.tenant.key)
      expect(await refusal(page).innerText()).toMatch(/\blive\b/)
      expect(apiRequests(visited)).toEqual([])
    } finally {
      await production.close()
    }
  })
})

describeInBrowser.each(['light', 'dark'] as const)('in a %s scheme', (colorScheme) => {
  it('the trial page breaks no serious rule of accessibility', async () => {
    visited = await visit(browser, `${staging.url}/docs`, { colorScheme })
    const { page } = visited
    await block(page, 'create_quote').waitFor()
    expect(await seriousViolations(page)).toEqual([])
    await keyField(page).fill(makeKey('live').key)
    expect(await seriousViolations(page)).toEqual([])
    await keyField(page).fill(staging.tenant.key)
    await open(page, 'create_quote')
    await execute(page, 'create_quote')
    await open(page, 'update_organization')
    await open(page, 'attach_document')
    expect(await seriousViolations(page)).toEqual([])
  })

  it.each(['guides', 'guides/webhooks', 'errors', 'errors/validation_error'])(
    '/docs/%s breaks none either, on a screen or a phone',
    async (name) => {
      for (const width of [1280, 400]) {
        visited = await visit(browser, `${staging.url}/docs/${name}`, { colorScheme, width })
        const { page, complaints } = visited
        expect(await seriousViolations(page)).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        expect(complaints).toEqual([])
        await visited.context.close()
      }
    },
  )

  it('a phone shows it without scrolling sideways', async () => {
    visited = await visit(browser, `${staging.url}/docs`, { colorScheme, width: 400 })
    const { page } = visited
    await open(page, 'create_quote')
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(400)
    expect(await seriousViolations(page)).toEqual([])
  })
})

describeInBrowser('with the keyboard alone', () => {
  it('a quote is made', async () => {
    visited = await visit(browser, `${staging.url}/docs`)
    const { page } = visited
    await block(page, 'create_quote').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.className')).toBe('skip')
    await keyField(page).focus()
    await page.keyboard.insertText(staging.tenant.key)
    await press(page, 'POST /public/v1/quotes Request a quote')
    await press(page, 'Try it out')
    const posted = page.waitForResponse((response) => response.request().method() === 'POST')
    await press(page, 'Execute')
    expect((await posted).status()).toBe(201)
  })

  /** Tabs on to a button with a text and presses it. */
  async function press(page: Page, name: string): Promise<void> {
    for (let tabs = 0; tabs < 60; tabs += 1) {
      await page.keyboard.press('Tab')
      const text: string = await page.evaluate('document.activeElement.innerText')
      if (text.replaceAll(/[\s\u200b]+/g, ' ').trim() === name) return page.keyboard.press('Enter')
    }
    throw new Error(`No button “${name}” within 60 tabs`)
  }
})
