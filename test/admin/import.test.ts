import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { importKinds } from '../../src/admin/import_file.ts'
import { type TestAdmin, createAdmin } from '../setup/admin.ts'
import { type Tenant, createTenant } from '../setup/database.ts'

let admin: TestAdmin
let tenant: Tenant
beforeAll(async () => {
  admin = await createAdmin()
})
afterAll(() => admin.close())
beforeEach(async () => {
  tenant = await createTenant(admin.db)
})

const seed = (kind: string): string => `db/seed/${kind}.csv`

async function codes(): Promise<string[]> {
  const { rows } = await admin.db.owner.query<{ code: string }>(
    'select code from app.products where tenant_id = $1 order by code',
    [tenant.id],
  )
  return rows.map(({ code }) => code)
}

describe('import', () => {
  it('takes in each kind of file, and a second time changes nothing', async () => {
    await admin.db.owner.query(
      `insert into app.organizations (tenant_id, external_reference, name, client_type)
      values ($1, 'LENDER-100', 'L', 'lender'), ($1, 'AMC-200', 'A', 'lender')`,
      [tenant.id],
    )
    for (const kind of importKinds) {
      const lines = readFileSync(seed(kind), 'utf8').trim().split('\n').length - 1
      const counts = { tenant: tenant.slug, kind, rows: lines, updated: 0, deleted: 0 }
      const args = ['import', '--tenant', tenant.slug, kind, seed(kind)]
      expect(await admin.json(...args)).toEqual({ ...counts, created: lines, unchanged: 0 })
      expect(await admin.json(...args)).toEqual({ ...counts, created: 0, unchanged: lines })
    }
  })

  it('tells the faults of form and of content together, by line, and applies nothing', async () => {
    const path = await admin.file(
      'products.csv',
      'code,name,is_active\r\nA,One,true\r\nB,"Two\r\nlines",perhaps\r\nC,Three\r\n,Four,yes\r\nA,Five,no\r\n',
    )
    const args = ['import', '--tenant', tenant.slug, 'products', path]
    const { code, detail } = await admin.error(...args)
    expect(code).toBe('validation_error')
    expect(detail.map(({ line, column, type }: any) => [line, column, type])).toEqual([
      [3, 'is_active', 'boolean_type'],
      [5, null, 'cells'],
      [6, 'code', 'missing'],
      [7, 'code', 'duplicate'],
    ])
    expect(await codes()).toEqual([])

    const plain = await admin.run(args)
    expect({ code: plain.code, stdout: plain.stdout }).toEqual({ code: 1, stdout: '' })
    for (const line of [3, 5, 6, 7]) expect(plain.stderr).toMatch(new RegExp(`^line ${line}\\b`, 'm'))
  })

  it('applies nothing when a line has a fault of form alone', async () => {
    const path = await admin.file('products.csv', 'code,name,is_active\nA,One,true\nB,Two\n')
    const { detail } = await admin.error('import', '--tenant', tenant.slug, 'products', path)
    expect(detail).toMatchObject([{ line: 3, column: null, type: 'cells' }])
    expect(await codes()).toEqual([])
  })

  it('reads standard input', async () => {
    const args = ['import', '--tenant', tenant.slug, 'products', '-', '--json']
    const { code } = await admin.run(args, { input: 'code,name,is_active\nA,One,1\n' })
    expect(code).toBe(0)
    expect(await codes()).toEqual(['A'])
  })

  it('can NOT replace products, or replace anything by nothing', async () => {
    const empty = await admin.file('empty.csv', 'appraiser,state,county,product_code\n')
    const replace = (kind: string, path: string) =>
      admin.error('import', '--tenant', tenant.slug, kind, path, '--replace')
    expect(await replace('products', seed('products'))).toMatchObject({ code: 'usage' })
    expect(await replace('coverage', empty)).toMatchObject({ code: 'usage' })
    expect(await codes()).toEqual([])
  })

  it('can NOT take an unknown kind, a missing file or an unknown tenant', async () => {
    const [kind, file, name] = await Promise.all([
      admin.error('import', '--tenant', tenant.slug, 'clients', seed('products')),
      admin.error('import', '--tenant', tenant.slug, 'products', 'nothing.csv'),
      admin.error('import', '--tenant', 'nobody', 'products', seed('products')),
    ])
    expect([kind.code, file.code, name.code]).toEqual(['usage', 'usage', 'not_found'])
  })
})
