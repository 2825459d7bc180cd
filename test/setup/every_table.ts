// One row of a tenant in every tenant table, so that tests generated from the catalogue
// have something to steal. Whoever adds a table adds its row here: a test insists.
import type { Tenant, TestDatabase } from './database.ts'

export async function fillEveryTable(db: TestDatabase, tenant: Tenant): Promise<void> {
  const run = (sql: string, ...values: unknown[]) => db.owner.query(sql, [tenant.id, ...values])
  await run(`insert into app.products (tenant_id, code, name) values ($1, 'URAR', 'Full')`)
  await run(`
    with appraiser as (
      insert into app.appraisers (tenant_id, external_reference, name)
      values ($1, 'A-1', 'Ann') returning id
    ), covered as (
      insert into app.coverage (tenant_id, appraiser_id, state, county)
      select $1, id, 'CA', 'Kern' from appraiser
    )
    insert into app.fees (tenant_id, appraiser_id, product_code, fee, turnaround_days)
    select $1, id, 'URAR', 450, 5 from appraiser`)
  await run(`
    insert into app.quotes (
      tenant_id, product_code, subject_line1, subject_state, subject_county,
      client_name, client_email
    ) values ($1, 'URAR', '12 Main St', 'CA', 'Kern', 'Jane', 'jane@example.com')`)
  await run(`
    with organization as (
      insert into app.organizations (tenant_id, name, client_type)
      values ($1, 'First Bank', 'lender') returning id
    ), contact as (
      insert into app.contacts (tenant_id, organization_id, display_name, email, contact_type)
      select $1, id, 'Bo', 'bo@example.com', 'billing' from organization
    ), lead as (
      insert into app.leads (tenant_id, organization_id, title)
      select $1, id, 'New branch' from organization
    )
    insert into app.orders (
      tenant_id, order_number, status, channel, property_address, engaging_client_id
    ) select $1, 'O-1', 'scheduling', 'direct', '12 Main St', id from organization`)
  await run(`
    insert into app.idempotency_keys (tenant_id, key, fingerprint, status, body)
    values ($1, 'k', '\\x00', 201, '{}')`)
  await run(`
    insert into app.api_usage (tenant_id, api_key_id, key_name, day, operation, requests, errors)
    values ($1, uuidv7(), 'ci', '2026-11-01', 'create_quote', 3, 1)`)
  await run(`
    with document as (
      insert into app.documents (
        tenant_id, quote_id, file_name, content_type, byte_size, sha256, storage, verdicts,
        api_key_id
      )
      select
        $1, id, 'a.pdf', 'application/pdf', 1, sha256('a'), 'postgres', '[{"engine": "yara-x"}]', id
      from app.quotes where tenant_id = $1
      returning id
    ), stored as (
      insert into app.document_bytes (tenant_id, document_id, bytes)
      select $1, id, 'a' from document
    )
    insert into app.rejected_uploads (
      tenant_id, quote_id, file_name, byte_size, sha256, rule, engine, engine_version, api_key_id
    )
    select $1, id, 'b.pdf', 1, sha256('b'), 'eicar_test_file', 'yara-x', '0.3.0', id
    from app.quotes where tenant_id = $1`)
}
