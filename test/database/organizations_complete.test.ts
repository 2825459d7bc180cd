// Completeness is the table's own rule, whoever writes, and the function that names what
// is missing says the same.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Tenant, type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'
import { amc, lender, office, storeOrganization } from '../setup/organizations.ts'

let db: TestDatabase
let tenant: Tenant
beforeAll(async () => {
  db = await createDatabase()
})
beforeEach(async () => {
  tenant = await createTenant(db)
})
afterAll(() => db.close())

const requiredFields = Object.keys(office)
const incomplete = { code: '23514', constraint: 'organizations_complete' }

describe.each(['amc', 'private_party', 'other'])('the table can NOT hold', (client_type) => {
  it.each(requiredFields)(`a ${client_type} without %s`, async (field) => {
    const stored = storeOrganization(db, tenant, amc({ client_type, [field]: null }))
    await expect(stored).rejects.toMatchObject(incomplete)
  })

  it(`what was a bare lender as ${client_type}`, async () => {
    const id = await storeOrganization(db, tenant, lender())
    const changed = db.owner.query('update app.organizations set client_type = $1 where id = $2', [
      client_type,
      id,
    ])
    await expect(changed).rejects.toMatchObject(incomplete)
  })
})

describe('the table can hold', () => {
  it.each(['amc', 'private_party', 'other'])('a complete %s', async (client_type) => {
    expect(await storeOrganization(db, tenant, amc({ client_type }))).not.toBe('')
  })

  it('a bare lender', async () => {
    expect(await storeOrganization(db, tenant, lender())).not.toBe('')
  })
})

describe('missing_fields', () => {
  const missing = async (row: Record<string, unknown>): Promise<string[]> => {
    const { rows } = await db.owner.query<{ missing: string[] }>(
      'select app.missing_fields(jsonb_populate_record(null::app.organizations, $1)) as missing',
      [row],
    )
    return rows[0]?.missing ?? []
  }

  it('names what the table refuses, in one order', async () => {
    expect(await missing({ client_type: 'amc' })).toEqual(requiredFields)
    for (const field of requiredFields) {
      expect(await missing(amc({ [field]: null }))).toEqual([field])
    }
  })

  it('names nothing of a lender', async () => {
    expect(await missing(lender())).toEqual([])
  })
})
