// One way to a database for every command: the URLs of the environment, or the
// embedded server of DATA_DIR. Gives the connection string of each role.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Credentials, loginRoles, readCredentials } from './credentials.ts'
import { openEmbedded } from './embedded.ts'

export type DatabaseUrls = {
  /** The administrator's, who sees past row-level security. */
  owner: string
  api: string
  worker: string
  analyst: string
  auditor: string
  office: string
}

export type Database = {
  isEmbedded: boolean
  /** Whether the administrator's connection is known: in production it needn't be. */
  hasOwner: boolean
  credentials: Credentials
  urls: DatabaseUrls
  /** Lets the embedded server go; the last process to do so stops it. */
  release(): Promise<void>
}

const databaseName = 'appraisal'

/** Opens the database that the environment names, starting the embedded one if need be. */
export async function openDatabase(config: Config): Promise<Database> {
  const credentials = readCredentials(config.DATA_DIR)
  const given = config.DATABASE_URL ?? config.API_DATABASE_URL ?? config.WORKER_DATABASE_URL
  if (given) {
    return {
      isEmbedded: false,
      hasOwner: config.DATABASE_URL !== undefined,
      credentials,
      urls: roleUrls(given, credentials, config),
      release: async () => {},
    }
  }
  const server = await openEmbedded(join(config.DATA_DIR, 'postgres'), credentials.owner)
  const owner = new URL(server.url)
  owner.pathname = `/${databaseName}`
  return {
    isEmbedded: true,
    hasOwner: true,
    credentials,
    urls: roleUrls(owner.href, credentials, config),
    release: server.release,
  }
}

/** The connection strings of a deployment whose administrator's is given. */
export function roleUrls(
  owner: string,
  credentials: Credentials,
  config: Partial<Config> = {},
): DatabaseUrls {
  const as = (role: keyof Credentials['logins']): string => {
    const url = new URL(owner)
    url.username = role
    url.password = credentials.logins[role]
    return url.href
  }
  return {
    owner,
    api: withPassword(config.API_DATABASE_URL, credentials) ?? as('svc_api'),
    worker: withPassword(config.WORKER_DATABASE_URL, credentials) ?? as('svc_worker'),
    analyst: withPassword(config.ANALYTICS_DATABASE_URL, credentials) ?? as('svc_analyst'),
    auditor: as('svc_auditor'),
    office: as('svc_office'),
  }
}

// A URL that names one of our logins and no password gets the deployment's own, so that
// a compose file or a unit can say where without saying the secret.
function withPassword(given: string | undefined, credentials: Credentials): string | undefined {
  if (!given) return undefined
  const url = new URL(given)
  if (!url.password && isLogin(url.username)) url.password = credentials.logins[url.username]
  return url.href
}

const isLogin = (name: string): name is keyof Credentials['logins'] =>
  (loginRoles as readonly string[]).includes(name)
