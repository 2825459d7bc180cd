// Passwords of the database's logins and other secrets that a deployment makes for
// itself, kept in DATA_DIR with mode 600. Made once; whoever has the folder has them.
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const loginRoles = [
  'svc_api',
  'svc_worker',
  'svc_office',
  'svc_analyst',
  'svc_auditor',
] as const
export type LoginRole = (typeof loginRoles)[number]

export type Credentials = {
  owner: string
  logins: Record<LoginRole, string>
  /** 32 bytes in base64: seals webhook secrets at rest. */
  webhookSecretKey: string
}

/** Reads the deployment's secrets, making them at the first call. */
export function readCredentials(dataDir: string): Credentials {
  const path = join(dataDir, 'credentials.json')
  mkdirSync(dataDir, { recursive: true })
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Credentials
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  // Written whole and then linked: of two first starts one wins, and both read it.
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify(makeCredentials(), null, 2), { mode: 0o600 })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return JSON.parse(readFileSync(path, 'utf8')) as Credentials
}

function makeCredentials(): Credentials {
  const password = () => randomBytes(24).toString('base64url')
  return {
    owner: password(),
    logins: Object.fromEntries(loginRoles.map((role) => [role, password()])) as Record<
      LoginRole,
      string
    >,
    webhookSecretKey: randomBytes(32).toString('base64'),
  }
}
