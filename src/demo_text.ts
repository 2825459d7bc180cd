// What the first start says: the demo's keys, shown this once, and lines to paste.
import type { DemoAccess } from './admin/seed.ts'

export function welcome(demo: DemoAccess, api = 'http://127.0.0.1:3000'): string {
  const base = `${api}/public/v1`
  const key = `-H 'Authorization: Bearer ${demo.key}'`
  const json = `-H 'Content-Type: application/json'`
  const subject = '"subject":{"line1":"12 Main St","state":"VA","county":"Fairfax"}'
  const client = '"client":{"name":"Jane Doe","email":"jane@example.com"}'
  return `
A demo tenant is set up. Its test key and analyst token are shown this once:

  API key        ${demo.key}
  Analyst token  ${demo.analystToken}

Try it:

  curl ${base}/products ${key}
  curl ${base}/fees/preview ${key} ${json} \\
    -d '{"product_code":"URAR",${subject}}'
  curl ${base}/quotes ${key} ${json} -H 'Idempotency-Key: first' \\
    -d '{"product_code":"URAR",${subject},${client}}'
`
}
