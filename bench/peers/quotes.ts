// Quotes and fees by hand: the queries that a good team would write.
import type pg from 'pg'
import { HttpError } from './gates.ts'
import { type Reply, type Work, emit } from './transaction.ts'

type Row = Record<string, any>

const quoteOf = (row: Row): unknown => ({
  id: row['id'],
  status: row['status'],
  external_reference: row['external_reference'],
  product_code: row['product_code'],
  fee: row['fee'],
  turnaround_days: row['turnaround_days'],
  created_at: (row['created_at'] as Date).toISOString(),
  source: row['source'],
})

const shown =
  'id, status, external_reference, product_code, fee, turnaround_days, created_at, source'

export const readQuote =
  (id: string): Work =>
  async (client) => {
    const { rows } = await client.query<Row>(`select ${shown} from app.quotes where id = $1`, [id])
    if (!rows[0]) throw new HttpError(404, 'not_found')
    return { status: 200, body: quoteOf(rows[0]) }
  }

async function requireProduct(client: pg.PoolClient, code: string): Promise<void> {
  const { rows } = await client.query<Row>('select is_active from app.products where code = $1', [code])
  if (!rows[0]) throw new HttpError(404, 'not_found')
  if (!rows[0]['is_active']) throw new HttpError(422, 'product_inactive')
}

export const createQuote =
  (body: Row): Work =>
  async (client, tenantId) => {
    await requireProduct(client, body['product_code'])
    const { subject, client: person, borrower } = body
    const { rows } = await client.query<Row>(
      `insert into app.quotes (
        tenant_id, external_reference, product_code, source, subject_line1, subject_line2,
        subject_city, subject_state, subject_county, subject_postal_code, client_name,
        client_email, client_phone, borrower_name, borrower_email, borrower_phone, notes, metadata
      )
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
      returning ${shown}`,
      [
        tenantId, body['external_reference'], body['product_code'], body['source'] ?? 'api',
        subject.line1, subject.line2, subject.city, subject.state, subject.county,
        subject.postal_code, person.name, person.email, person.phone, borrower?.name,
        borrower?.email, borrower?.phone, body['notes'], body['metadata'],
      ],
    )
    const [quote = {}] = rows
    await emit(client, 'quote.created', {
      id: quote['id'],
      external_reference: quote['external_reference'],
      action: 'created',
    })
    return { status: 201, body: quoteOf(quote) }
  }

const covering = `
select distinct appraisers.id
from app.coverage
inner join app.appraisers
  on coverage.tenant_id = appraisers.tenant_id and coverage.appraiser_id = appraisers.id
where
  coverage.state = $1
  and (coverage.county_key is null or coverage.county_key = reference.county_key($1, $2))
  and (coverage.product_code is null or coverage.product_code = $3)
  and appraisers.is_active
  and ($4::uuid is null or appraisers.id = $4)`

const lowest = `
select specific.fee, specific.turnaround_days
from (
  select distinct on (fees.appraiser_id) fees.appraiser_id, fees.fee, fees.turnaround_days
  from app.fees
  where
    fees.appraiser_id = any($4)
    and (fees.product_code is null or fees.product_code = $3)
    and (fees.state is null or fees.state = $1)
    and (fees.county_key is null or fees.county_key = reference.county_key($1, $2))
  order by
    fees.appraiser_id, fees.product_code is not null desc, fees.county_key is not null desc,
    fees.state is not null desc
) as specific
inner join app.appraisers on appraisers.id = specific.appraiser_id
order by specific.fee, specific.turnaround_days, appraisers.created_at, appraisers.id
limit 1`

export const previewFee =
  ({ product_code: code, subject }: Row): Work =>
  async (client): Promise<Reply> => {
    await requireProduct(client, code)
    const chosen = await client.query<Row>(
      'select id from app.appraisers where is_default and is_active',
    )
    const appraiserId = chosen.rows[0]?.['id'] ?? null
    const { state, county } = subject
    const { rows: appraisers } = await client.query<Row>(covering, [state, county, code, appraiserId])
    if (appraisers.length === 0) throw new HttpError(422, 'coverage_unavailable')
    const ids = appraisers.map((row) => row['id'])
    const { rows: fees } = await client.query<Row>(lowest, [state, county, code, ids])
    return {
      status: 200,
      body: {
        product_code: code,
        fee: fees[0]?.['fee'] ?? null,
        currency: 'USD',
        turnaround_days: fees[0]?.['turnaround_days'] ?? null,
        covered: true,
        fee_basis: appraiserId === null ? 'lowest_covering' : 'default_appraiser',
        notes: fees[0] ? null : 'This area is covered. The office confirms the fee and the turnaround.',
      },
    }
  }
