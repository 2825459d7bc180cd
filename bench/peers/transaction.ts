// The conversation of the peers with the database: begin, look the key up, put the tenant
// in force, work, commit. The policies are the product's own.
import pg from 'pg'
import { HttpError } from './gates.ts'

export type Reply = { status: number; body: unknown }
export type Entry = { digest: Buffer; scope: string }
export type Work = (client: pg.PoolClient, tenantId: string) => Promise<Reply>

export const createPool = (url: string): pg.Pool => new pg.Pool({ connectionString: url, max: 10 })

export async function inTransaction(pool: pg.Pool, entry: Entry, work: Work): Promise<Reply> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const tenantId = await requireKey(client, entry)
    await client.query("select set_config('svc.key_digest', $1, true)", [entry.digest.toString('hex')])
    const reply = await work(client, tenantId)
    await client.query('commit')
    return reply
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function requireKey(client: pg.PoolClient, { digest, scope }: Entry): Promise<string> {
  const { rows } = await client.query<{ tenant_id: string; scopes: string[] }>(
    `select tenant_id, scopes from auth.api_keys
    where digest = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [digest],
  )
  const [key] = rows
  if (!key) throw new HttpError(401, 'unauthorized')
  if (!key.scopes.includes(scope)) throw new HttpError(403, 'insufficient_scope')
  return key.tenant_id
}

/** Work that is done once for a key, and answered again when it comes again. */
export const idempotently =
  (key: string, fingerprint: Buffer, work: Work): Work =>
  async (client, tenantId) => {
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${tenantId}:${key}`])
    const { rows } = await client.query<{ fingerprint: Buffer; status: number; body: string }>(
      'select fingerprint, status, body from app.idempotency_keys where key = $1',
      [key],
    )
    const [known] = rows
    if (known) {
      if (!known.fingerprint.equals(fingerprint)) throw new HttpError(409, 'idempotency_conflict')
      return { status: known.status, body: JSON.parse(known.body) as unknown }
    }
    const reply = await work(client, tenantId)
    await client.query(
      `insert into app.idempotency_keys (tenant_id, key, fingerprint, status, body)
      values ($1, $2, $3, $4, $5)`,
      [tenantId, key, fingerprint, reply.status, JSON.stringify(reply.body)],
    )
    return reply
  }

export const emit = (client: pg.PoolClient, type: string, data: unknown): Promise<unknown> =>
  client.query('select outbox.emit($1, $2)', [type, [JSON.stringify(data)]])
