// A real Chromium for the pages at /docs, and what it did: console, network, storage.
// Debian's package chromium has one; CI always installs it.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, type Page, type Request, chromium } from 'playwright-core'

const paths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Where a Chromium is; undefined where there is none. */
export const chromiumPath = paths.find((path) => existsSync(path))

/** Starts it without its sandbox, which root can't have, and without a way to any name. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath ? { executablePath: chromiumPath } : {}),
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  })

export type Visit = {
  context: BrowserContext
  page: Page
  /** Errors and warnings of the console, and scripts that broke. */
  complaints: string[]
  requests: Request[]
}

/** A new visitor at an address, with all that happens noted down. */
export async function visit(
  browser: Browser,
  url: string,
  options: { colorScheme?: 'light' | 'dark'; width?: number } = {},
): Promise<Visit> {
  const { colorScheme = 'light', width = 1280 } = options
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: Request[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  context.on('request', (request) => requests.push(request))
  await page.goto(url)
  return { context, page, complaints, requests }
}

/** Everything of every request, as text: address, headers and body. */
export async function wireText(requests: Request[]): Promise<string> {
  const texts = requests.map(async (request) =>
    JSON.stringify([request.url(), await request.allHeaders(), request.postData()]),
  )
  return (await Promise.all(texts)).join('\n')
}

/** What the browser keeps of a visit. */
export async function storedBy({ context, page }: Visit) {
  const kept = await page.evaluate(
    `({ local: { ...localStorage }, session: { ...sessionStorage } })`,
  )
  return { ...(kept as object), cookies: await context.cookies() }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules of accessibility that a page breaks in a serious or critical way, with places. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(`axe.run(document).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' ' + target.join(' '))))`)
}
