// Work as the appraisal product's office does it: as its own login, for one tenant, in
// one transaction, so that the database's rules hold for operators, too.
import type pg from 'pg'

/** Runs work as svc_office with a tenant in force; commits it whole or not at all. */
export async function inOffice<Result>(
  office: pg.Pool,
  tenantId: string,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await office.connect()
  try {
    await client.query('begin')
    await client.query('select office.enter($1)', [tenantId])
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}
