// The rules of imported files, at the functions that hold them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Tenant, type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'

type Cells = Record<string, string | null>
type Fault = { line: number; column: string; type: string; msg: string }
type Summary = { rows: number; created: number; updated: number; unchanged: number; deleted: number }

let db: TestDatabase
let tenant: Tenant

beforeAll(async () => {
  db = await createDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  tenant = await createTenant(db)
})

/** Calls an import function with rows from line 2 on, as the office does. */
async function load(kind: string, rows: Cells[], ...more: unknown[]): Promise<Summary> {
  const client = await db.as('office').connect()
  try {
    await client.query('begin')
    await client.query('select office.enter($1)', [tenant.id])
    const parameters = more.map((_, index) => `, $${index + 2}`).join('')
    const { rows: answers } = await client.query<{ summary: Summary }>(
      `select office.import_${kind}($1${parameters}) as summary`,
      [JSON.stringify(rows.map((cells, index) => ({ line: index + 2, ...cells }))), ...more],
    )
    await client.query('commit')
    return answers[0]?.summary as Summary
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

/** Where an import's faults are, and of which kind; it must have some. */
async function faultsOf(kind: string, rows: Cells[]): Promise<[number, string, string][]> {
  const error = await load(kind, rows).then(
    () => null,
    (thrown: { code: string; constraint: string; detail: string }) => thrown,
  )
  expect(error).toMatchObject({ code: 'PT422', constraint: 'validation_error' })
  const faults = JSON.parse(error?.detail ?? '[]') as Fault[]
  return faults.map(({ line, column, type }) => [line, column, type])
}

async function stored<Row = any>(table: string, columns: string, order = '1'): Promise<Row[]> {
  const { rows } = await db.owner.query(
    `select ${columns} from ${table} where tenant_id = $1 order by ${order}`,
    [tenant.id],
  )
  return rows as Row[]
}

const product = (code: string, parts: Cells = {}): Cells => ({
  code,
  name: `Product ${code}`,
  is_active: 'true',
  ...parts,
})
const appraiser = (reference: string, parts: Cells = {}): Cells => ({
  external_reference: reference,
  name: `Appraiser ${reference}`,
  is_active: 'true',
  is_default: 'false',
  ...parts,
})
const area = (parts: Cells = {}): Cells => ({
  appraiser: 'A-1',
  state: 'VA',
  county: 'Fairfax',
  product_code: null,
  ...parts,
})
const fee = (parts: Cells = {}): Cells => ({
  ...area(),
  fee: '450.00',
  turnaround_days: '5',
  ...parts,
})
const order = (number: string, parts: Cells = {}): Cells => ({
  order_number: number,
  status: 'scheduling',
  channel: 'portal',
  due_date: null,
  fee: null,
  loan_number: null,
  client_tracking_number: null,
  property_address: '12 Main St',
  property_city: null,
  property_state: null,
  property_postal: null,
  property_county: null,
  engaging_client_external_reference: 'C-1',
  lender_external_reference: null,
  ...parts,
})

async function createCatalogue(): Promise<void> {
  await load('products', [product('URAR'), product('CONDO')])
  await load('appraisers', [appraiser('A-1'), appraiser('A-2')])
}

async function createOrganization(reference: string): Promise<string> {
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into app.organizations (tenant_id, external_reference, name, client_type)
    values ($1, $2, $2, 'lender') returning id`,
    [tenant.id, reference],
  )
  return rows[0]?.id ?? ''
}

describe('import_products', () => {
  it('creates, updates and leaves alone, and keeps what the file lacks', async () => {
    expect(await load('products', [product('A'), product('B'), product('C')])).toEqual({
      rows: 3, created: 3, updated: 0, unchanged: 0, deleted: 0,
    })
    expect(await load('products', [product('A', { is_active: 'no' }), product('B'), product('D')])).toEqual({
      rows: 3, created: 1, updated: 1, unchanged: 1, deleted: 0,
    })
    expect(await stored('app.products', 'code, is_active')).toEqual([
      { code: 'A', is_active: false },
      { code: 'B', is_active: true },
      { code: 'C', is_active: true },
      { code: 'D', is_active: true },
    ])
  })

  it('moves updated_at of changed rows alone', async () => {
    await load('products', [product('A'), product('B')])
    await load('products', [product('A', { name: 'Other' }), product('B')])
    const rows = await stored('app.products', 'code, updated_at > created_at as is_moved')
    expect(rows).toEqual([{ code: 'A', is_moved: true }, { code: 'B', is_moved: false }])
  })

  it('takes true, false, 1, 0, yes and no, in any case', async () => {
    const words = ['true', 'FALSE', '1', '0', 'Yes', 'no']
    await load('products', words.map((is_active, index) => product(`P${index}`, { is_active })))
    const rows = await stored<{ is_active: boolean }>('app.products', 'code, is_active')
    expect(rows.map((row) => row.is_active)).toEqual([true, false, true, false, true, false])
  })

  it('tells every fault with its line, and writes nothing', async () => {
    expect(
      await faultsOf('products', [
        product('A'),
        product('x'.repeat(65), { is_active: 'maybe' }),
        { code: null, name: null, is_active: null },
        product('B', { name: 'n'.repeat(201) }),
        product('A'),
      ]),
    ).toEqual([
      [3, 'code', 'string_too_long'],
      [3, 'is_active', 'boolean_type'],
      [4, 'code', 'missing'],
      [4, 'name', 'missing'],
      [4, 'is_active', 'missing'],
      [5, 'name', 'string_too_long'],
      [6, 'code', 'duplicate'],
    ])
    expect(await stored('app.products', 'code')).toEqual([])
  })

  it('counts characters, not bytes', async () => {
    await load('products', [product('é'.repeat(64), { name: '🏠'.repeat(200) })])
    expect(await stored('app.products', 'char_length(name) as length')).toEqual([{ length: 200 }])
  })

  it('can NOT reach another tenant', async () => {
    await load('products', [product('A')])
    const other = tenant
    tenant = await createTenant(db)
    await load('products', [product('A', { name: 'Ours' })])
    const { rows } = await db.owner.query('select name from app.products where tenant_id = $1', [other.id])
    expect(rows).toEqual([{ name: 'Product A' }])
  })

  it('can NOT write without a tenant in force', async () => {
    await expect(
      db.as('office').query('select office.import_products($1)', [
        JSON.stringify([{ line: 2, ...product('A') }]),
      ]),
    ).rejects.toMatchObject({ code: '42501' })
  })
})

describe('import_appraisers', () => {
  const defaults = async (): Promise<string[]> => {
    const rows = await stored<{ name: string }>(
      'app.appraisers',
      `external_reference as name, is_default`,
    )
    return rows.filter((row: any) => row.is_default).map((row) => row.name)
  }

  it('hands the default over to the one that a file names', async () => {
    await load('appraisers', [appraiser('A', { is_default: 'true' }), appraiser('B')])
    expect(await defaults()).toEqual(['A'])
    await load('appraisers', [appraiser('B', { is_default: 'true' })])
    expect(await defaults()).toEqual(['B'])
    const summary = await load('appraisers', [appraiser('A', { is_default: 'true' }), appraiser('B')])
    expect(summary).toMatchObject({ created: 0, updated: 2, unchanged: 0 })
    expect(await defaults()).toEqual(['A'])
  })

  it('keeps the default while a file names none, and drops it when told', async () => {
    await load('appraisers', [appraiser('A', { is_default: 'true' })])
    await load('appraisers', [appraiser('B')])
    expect(await defaults()).toEqual(['A'])
    await load('appraisers', [appraiser('A')])
    expect(await defaults()).toEqual([])
  })

  it('can NOT take two defaults, or one appraiser twice', async () => {
    expect(
      await faultsOf('appraisers', [
        appraiser('A', { is_default: 'true' }),
        appraiser('B', { is_default: 'yes' }),
        appraiser('A', { is_active: 'ja' }),
      ]),
    ).toEqual([
      [3, 'is_default', 'duplicate'],
      [4, 'is_active', 'boolean_type'],
      [4, 'external_reference', 'duplicate'],
    ])
  })
})

describe('import_coverage', () => {
  beforeEach(createCatalogue)

  it('takes a county or a state, for one product or for all', async () => {
    await load('coverage', [
      area(),
      area({ county: null }),
      area({ product_code: 'URAR' }),
      area({ appraiser: 'A-2', state: 'va' }),
    ])
    expect(
      await stored('app.coverage', 'state, county_key, product_code', '2 nulls first, 3 nulls first'),
    ).toEqual([
      { state: 'VA', county_key: null, product_code: null },
      { state: 'VA', county_key: 'fairfax', product_code: null },
      { state: 'VA', county_key: 'fairfax', product_code: null },
      { state: 'VA', county_key: 'fairfax', product_code: 'URAR' },
    ])
  })

  it('keeps a county in its newest spelling', async () => {
    await load('coverage', [area()])
    expect(await load('coverage', [area({ county: 'Fairfax County' })])).toMatchObject({ updated: 1 })
    expect(await stored('app.coverage', 'county')).toEqual([{ county: 'Fairfax County' }])
  })

  it('keeps city and county apart', async () => {
    expect(await load('coverage', [area(), area({ county: 'Fairfax City' })])).toMatchObject({ created: 2 })
  })

  it('tells every fault with its line', async () => {
    expect(
      await faultsOf('coverage', [
        area({ appraiser: 'NOBODY' }),
        area({ product_code: 'NOTHING' }),
        area({ state: 'XX' }),
        area({ county: 'County' }),
        area({ state: null }),
        area({ county: 'Kern' }),
        area({ county: 'KERN COUNTY' }),
        area({ appraiser: null }),
        area({ county: 'c'.repeat(121) }),
      ]),
    ).toEqual([
      [2, 'appraiser', 'not_found'],
      [3, 'product_code', 'not_found'],
      [4, 'state', 'state'],
      [5, 'county', 'county'],
      [6, 'state', 'missing'],
      [6, 'state', 'missing'],
      [8, 'appraiser', 'duplicate'],
      [9, 'appraiser', 'missing'],
      [10, 'county', 'string_too_long'],
    ])
    expect(await stored('app.coverage', 'id')).toEqual([])
  })

  it('keeps rows that a file lacks, unless it replaces all', async () => {
    await load('coverage', [area(), area({ county: null }), area({ product_code: 'URAR' })])
    expect(await load('coverage', [area()])).toMatchObject({ unchanged: 1, deleted: 0 })
    expect(await load('coverage', [area(), area({ county: 'Kern' })], true)).toEqual({
      rows: 2, created: 1, updated: 0, unchanged: 1, deleted: 2,
    })
    expect(await stored('app.coverage', 'county')).toEqual([{ county: 'Fairfax' }, { county: 'Kern' }])
  })

  it('can NOT use another tenant\'s appraisers and products', async () => {
    tenant = await createTenant(db)
    expect(await faultsOf('coverage', [area({ product_code: 'URAR' })])).toEqual([
      [2, 'appraiser', 'not_found'],
      [2, 'product_code', 'not_found'],
    ])
  })
})

describe('import_fees', () => {
  beforeEach(createCatalogue)

  it('holds for a county, a state or anywhere, and updates by area', async () => {
    const rows = [fee(), fee({ county: null }), fee({ county: null, state: null, product_code: 'URAR' })]
    expect(await load('fees', rows)).toMatchObject({ created: 3 })
    rows[0] = fee({ fee: '475.5' })
    expect(await load('fees', rows)).toEqual({
      rows: 3, created: 0, updated: 1, unchanged: 2, deleted: 0,
    })
    expect(await stored('app.fees', 'state, county, fee, updated_at > created_at as is_moved', '3, 1')).toEqual([
      { state: 'VA', county: null, fee: '450.00', is_moved: false },
      { state: null, county: null, fee: '450.00', is_moved: false },
      { state: 'VA', county: 'Fairfax', fee: '475.50', is_moved: true },
    ])
  })

  it.each(['-1', '450.005', '1,200', '$450', 'free', '4e2', '.5', '12345678901'])(
    'can NOT take %s as a fee',
    async (text) => {
      expect(await faultsOf('fees', [fee({ fee: text })])).toEqual([[2, 'fee', 'decimal']])
    },
  )

  it.each(['-1', '1.5', 'five', '3651', '99999999999'])('can NOT take %s as days', async (text) => {
    expect(await faultsOf('fees', [fee({ turnaround_days: text })])).toEqual([
      [2, 'turnaround_days', 'int_range'],
    ])
  })

  it('can NOT place a county without its state, or one area twice', async () => {
    expect(
      await faultsOf('fees', [
        fee({ state: null }),
        fee(),
        fee({ county: 'fairfax', fee: '1' }),
        fee({ fee: null, turnaround_days: null, county: null }),
      ]),
    ).toEqual([
      [2, 'state', 'missing'],
      [4, 'appraiser', 'duplicate'],
      [5, 'fee', 'missing'],
      [5, 'turnaround_days', 'missing'],
    ])
  })

  it('replaces all when told', async () => {
    await load('fees', [fee(), fee({ county: null }), fee({ county: null, state: null })])
    expect(await load('fees', [fee({ county: null, state: null })], true)).toMatchObject({
      unchanged: 1,
      deleted: 2,
    })
    expect(await stored('app.fees', 'state')).toEqual([{ state: null }])
  })
})

describe('import_orders', () => {
  let client: string
  beforeEach(async () => {
    client = await createOrganization('C-1')
  })

  it('stores every column', async () => {
    const lender = await createOrganization('L-1')
    await load('orders', [
      order('O-1', {
        due_date: '2026-03-31',
        fee: '450',
        loan_number: 'L1',
        client_tracking_number: 'T1',
        property_city: 'Fairfax',
        property_state: 'va',
        property_postal: '22030',
        property_county: 'Fairfax City',
        lender_external_reference: 'L-1',
      }),
    ])
    const columns = `order_number, status, channel, due_date::text, fee, loan_number,
      client_tracking_number, property_address, property_city, property_state,
      property_postal, property_county, engaging_client_id, lender_id`
    expect(await stored('app.orders', columns)).toEqual([
      {
        order_number: 'O-1',
        status: 'scheduling',
        channel: 'portal',
        due_date: '2026-03-31',
        fee: '450.00',
        loan_number: 'L1',
        client_tracking_number: 'T1',
        property_address: '12 Main St',
        property_city: 'Fairfax',
        property_state: 'VA',
        property_postal: '22030',
        property_county: 'Fairfax City',
        engaging_client_id: client,
        lender_id: lender,
      },
    ])
  })

  it('moves updated_at of the rows that change, and of no others', async () => {
    await load('orders', [order('O-1'), order('O-2'), order('O-3', { fee: '1.00' })])
    const again = await load('orders', [
      order('O-1'),
      order('O-2', { status: 'delivered' }),
      order('O-3', { fee: '1' }),
      order('O-4'),
    ])
    expect(again).toEqual({ rows: 4, created: 1, updated: 1, unchanged: 2, deleted: 0 })
    const rows = await stored('app.orders', 'order_number, updated_at > created_at as is_moved')
    expect(rows).toEqual([
      { order_number: 'O-1', is_moved: false },
      { order_number: 'O-2', is_moved: true },
      { order_number: 'O-3', is_moved: false },
      { order_number: 'O-4', is_moved: false },
    ])
  })

  it('clears what a later file leaves empty', async () => {
    await load('orders', [order('O-1', { loan_number: 'L1', due_date: '2026-01-01' })])
    expect(await load('orders', [order('O-1')])).toMatchObject({ updated: 1 })
    expect(await stored('app.orders', 'loan_number, due_date')).toEqual([
      { loan_number: null, due_date: null },
    ])
  })

  it('tells every fault with its line', async () => {
    expect(
      await faultsOf('orders', [
        order('O-1', { engaging_client_external_reference: 'NOBODY' }),
        order('O-2', { lender_external_reference: 'NOBODY' }),
        order('O-3', { due_date: '2026-02-30' }),
        order('O-4', { due_date: '3/31/2026' }),
        order('O-5', { fee: '-5', property_state: 'Virginia' }),
        order('O-6', { property_address: null, engaging_client_external_reference: null }),
        order('O-1'),
      ]),
    ).toEqual([
      [2, 'engaging_client_external_reference', 'not_found'],
      [3, 'lender_external_reference', 'not_found'],
      [4, 'due_date', 'date'],
      [5, 'due_date', 'date'],
      [6, 'fee', 'decimal'],
      [6, 'property_state', 'state'],
      [7, 'property_address', 'missing'],
      [7, 'engaging_client_external_reference', 'missing'],
      [8, 'order_number', 'duplicate'],
    ])
    expect(await stored('app.orders', 'id')).toEqual([])
  })
})

describe('two imports of one tenant at once', () => {
  it('both succeed, in whatever order their rows are', async () => {
    const codes = Array.from({ length: 50 }, (_, index) => `P${index}`)
    const forth = codes.map((code) => product(code))
    const back = codes.toReversed().map((code) => product(code, { name: 'Later' }))
    const files = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? forth : back))
    const summaries = await Promise.all(files.map((file) => load('products', file)))
    expect(summaries.map(({ created }) => created).toSorted((a, b) => a - b)).toEqual([
      0, 0, 0, 0, 0, 50,
    ])
  })
})
