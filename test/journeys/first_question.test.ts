// An analyst's way through the real processes: the page and the endpoint answer when
// `ready` is printed, a token of the operator's opens one company, the company's own
// requests are counted across a stop, and a revoked token ends.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Deployment, admin, startDeployment } from '../setup/process.ts'

let dataDir: string
let deployment: Deployment
const environment = (): Record<string, string> => ({ DATA_DIR: dataDir })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'appraisal-question-'))
  deployment = await startDeployment(environment())
})
afterAll(async () => {
  await deployment.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function ask(token: string, query: string) {
  const response = await fetch(`${deployment.internal}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return { status: response.status, body: (await response.json()) as any }
}

const slugs = '{ tenants { nodes { slug } } }'

it('answers at once, with the token that the first start prints', async () => {
  const [token = ''] = /svc_analyst_\w+/.exec(deployment.output) ?? []
  const { body } = await ask(token, `{ tenants { nodes { slug } } products { totalCount } }`)
  expect(body.data.tenants.nodes).toEqual([{ slug: 'demo' }])
  expect(body.data.products.totalCount).toBeGreaterThan(0)
  const page = await fetch(deployment.internal)
  expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
    status: 200,
    type: 'text/html; charset=utf-8',
  })
})

it('counts a company\'s requests, shows them to its analyst alone, and loses none in a stop', async () => {
  await admin(environment(), 'tenant', 'create', '--slug', 'acme', '--name', 'Acme Appraisal')
  const { key } = await admin(environment(), 'key', 'create', '--tenant', 'acme', '--name', 'site', '--scopes', 'all')
  const { token } = await admin(environment(), 'analyst', 'create', '--name', 'dana', '--tenants', 'acme')
  const status = async (path: string) =>
    (await fetch(`${deployment.api}/public/v1${path}`, { headers: { Authorization: `Bearer ${key}` } })).status
  expect([await status('/me'), await status('/me'), await status('/quotes')]).toEqual([200, 200, 422])

  expect(await deployment.stop()).toBe(0)
  deployment = await startDeployment(environment())
  const { body } = await ask(
    token,
    '{ tenants { nodes { slug } } apiUsageDays { nodes { keyName operation requests errors } } }',
  )
  expect(body.data.tenants.nodes).toEqual([{ slug: 'acme' }])
  expect(body.data.apiUsageDays.nodes).toEqual(
    expect.arrayContaining([
      { keyName: 'site', operation: 'read_identity', requests: 2, errors: 0 },
      { keyName: 'site', operation: 'find_quote', requests: 1, errors: 1 },
    ]),
  )
})

it('refuses a token from the moment that it is revoked', async () => {
  const { id, token } = await admin(environment(), 'analyst', 'create', '--name', 'eve', '--tenants', 'all')
  expect((await ask(token, slugs)).status).toBe(200)
  await admin(environment(), 'analyst', 'revoke', id)
  expect((await ask(token, slugs)).status).toBe(401)
})
