// What a fault is played on: PostgreSQL behind a breakable network, API and worker as
// processes of their own, a partner that calls and one that hears webhooks.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Deployment, admin, startDeployment } from '../test/setup/process.ts'
import { type Clock, createClock } from './clock.ts'
import { type Levers, startPostgres } from './postgres.ts'
import { type Proxy, startProxy } from './proxy.ts'

export type Stage = {
  postgres: Levers
  network: Proxy
  /** API's and worker's, where it was asked for and can be had. */
  clock: Clock | null
  apis: Deployment[]
  workers: Deployment[]
  key: string
  /** How often a quote's creation was heard, by the quote's id. */
  heard: Map<string, number>
  startApi(): Promise<Deployment>
  startWorker(): Promise<Deployment>
  close(): Promise<void>
}

export async function setStage({ apis = 1, workers = 1, hasClock = false } = {}): Promise<Stage> {
  // Just above what they need: one process of each has some forty connections.
  const postgres = await startPostgres({ max_connections: String(20 + 40 * (apis + workers)) })
  const network = await startProxy(postgres.url)
  const heard = new Map<string, number>()
  const partner = await startPartner(heard)
  const clock = hasClock ? createClock(postgres.folder) : null
  const own = { DATA_DIR: postgres.folder, WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', RATE_LIMIT_PER_MINUTE: '0' }
  const direct = { ...own, DATABASE_URL: postgres.url }
  const environment = {
    ...own,
    ...clock?.environment,
    DATABASE_URL: network.url,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal',
  }

  const tenant = await admin(direct, 'tenant', 'create', '--slug', 'chaos', '--name', 'Chaos')
  const { key } = await admin(direct, 'key', 'create', '--tenant', 'chaos', '--name', 'k', '--scopes', 'all')
  await admin(direct, 'webhook', 'create', '--tenant', 'chaos', '--url', partner.url, '--events', 'quote.created')
  await postgres.query(
    `insert into app.products (tenant_id, code, name, is_active)
    values ('${tenant.id}', 'URAR', 'One', true)`,
  )
  const stage: Stage = {
    postgres,
    network,
    clock,
    apis: [],
    workers: [],
    key,
    heard,
    startApi: () => startDeployment(environment, '--only', 'server'),
    startWorker: () => startDeployment(environment, '--only', 'worker'),
    close: async () => {
      await Promise.all([...stage.apis, ...stage.workers].filter(isRunning).map((each) => each.stop()))
      partner.close()
      await network.close()
      await postgres.close()
    },
  }
  stage.apis = await all(apis, stage.startApi)
  stage.workers = await all(workers, stage.startWorker)
  return stage
}

export const isRunning = ({ child }: Deployment): boolean =>
  child.exitCode === null && child.signalCode === null

async function all<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = []
  while (made.length < count) made.push(await make())
  return made
}

async function startPartner(heard: Map<string, number>): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const { id } = (JSON.parse(body) as { data: { id: string } }).data
      heard.set(id, (heard.get(id) ?? 0) + 1)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
