// What the first start says: the demo's keys, shown this once, and lines to paste.
import type { DemoAccess } from './admin/seed.ts'
import type { Config } from './config.ts'

type Urls = Partial<Record<'api' | 'docs' | 'graphql', string>>

/** Keys, addresses of the running parts, and lines that work when pasted. */
export function welcome(
  demo: DemoAccess,
  urls: Urls,
  environment: Config['SVC_ENVIRONMENT'] = 'staging',
): string {
  const base = `${urls.api ?? 'http://127.0.0.1:3000'}/public/v1`
  return `
A demo tenant is set up. Its test key and analyst token are shown this once:

  API key        ${demo.key}
  Analyst token  ${demo.analystToken}
${addresses(base, urls)}
${environment === 'staging' ? curlLines(base, demo.key) : liveKeyLine}
`
}

function addresses(base: string, { docs, graphql }: Urls): string {
  if (docs === undefined || graphql === undefined) return ''
  return `
  API            ${base}
  Documentation  ${docs}
  GraphQL        ${graphql}
`
}

function curlLines(base: string, key: string): string {
  const authorization = `-H 'Authorization: Bearer ${key}'`
  const json = `-H 'Content-Type: application/json'`
  const subject = '"subject":{"line1":"12 Main St","state":"VA","county":"Fairfax"}'
  const client = '"client":{"name":"Jane Doe","email":"jane@example.com"}'
  return `Try it:

  curl ${base}/products ${authorization}
  curl ${base}/fees/preview ${authorization} ${json} \\
    -d '{"product_code":"URAR",${subject}}'
  curl ${base}/quotes ${authorization} ${json} -H 'Idempotency-Key: first' \\
    -d '{"product_code":"URAR",${subject},${client}}'`
}

// Test keys work on staging only.
const liveKeyLine = `This is production, which takes live keys only. To make one:

  npm run admin -- key create --tenant demo --name first --scopes all`
