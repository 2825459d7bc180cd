// Before all tests: one real PostgreSQL and one migrated template in it. A server of
// testcontainers when a Docker engine answers, else DATABASE_URL, else the embedded one.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCredentials } from '../../src/database/credentials.ts'
import { openEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { collectReached } from './reached.ts'

type Server = { url: string; stop(): Promise<void> }

export default async function setUp(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'appraisal-test-'))
  const credentials = readCredentials(folder)
  collectReached(folder)
  const server =
    (await containerServer()) ?? environmentServer() ?? (await embeddedServer(folder, credentials.owner))

  const template = `template_${randomBytes(6).toString('hex')}`
  const url = new URL(server.url)
  url.pathname = `/${template}`
  await migrate(url.href, credentials)

  process.env['TEST_DATABASE'] = JSON.stringify({ url: server.url, template, credentials })
  globalThis.stopTestDatabase = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

declare global {
  var stopTestDatabase: (() => Promise<void>) | undefined
}

async function containerServer(): Promise<Server | null> {
  if (process.env['DATABASE_URL']) return null
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers')
  try {
    await getContainerRuntimeClient()
  } catch {
    return null
  }
  const container = await new GenericContainer('postgres:18')
    .withEnvironment({ POSTGRES_PASSWORD: 'postgres' })
    .withCommand(['-c', 'fsync=off', '-c', 'max_connections=200'])
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start()
    .catch((error: unknown) => {
      console.warn(`No container of postgres:18 (${String(error)}); using the embedded server.`)
      return null
    })
  if (!container) return null
  return {
    url: `postgres://postgres:postgres@${container.getHost()}:${container.getMappedPort(5432)}/postgres`,
    stop: async () => {
      await container.stop()
    },
  }
}

function environmentServer(): Server | null {
  const url = process.env['DATABASE_URL']
  return url ? { url, stop: async () => {} } : null
}

async function embeddedServer(folder: string, password: string): Promise<Server> {
  // What a crash would lose is worth nothing here.
  const server = await openEmbedded(join(folder, 'postgres'), password, {
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  return { url: server.url, stop: server.release }
}
