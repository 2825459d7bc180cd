// The demo tenant, so that the first start has something to show: a catalogue and orders
// through the importer, as an operator would bring them, and keys to try them with.
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { scopes } from '../api_key.ts'
import type { DatabaseUrls } from '../database/open.ts'
import { insertAnalyst } from './analyst.ts'
import { type ImportKind, importFile, importKinds } from './import_file.ts'
import { insertKey } from './key.ts'
import type { Queryable } from './queryable.ts'

const slug = 'demo'

export type DemoAccess = { key: string; analystToken: string }

/** Makes the demo tenant; null when it is there. A start that failed halfway is made good. */
export async function seedDemo(urls: DatabaseUrls): Promise<DemoAccess | null> {
  const owner = new pg.Pool({ connectionString: urls.owner, max: 1 })
  const office = new pg.Pool({ connectionString: urls.office, max: 1 })
  try {
    if (await hasKey(owner)) return null
    const tenantId = await createTenant(owner)
    await createOrganizations(owner, tenantId)
    for (const kind of importKinds) await importFile(office, tenantId, kind, readSeed(kind))
    return await createAccess(owner, tenantId)
  } finally {
    await Promise.all([owner.end(), office.end()])
  }
}

/** The file of the demo's data of a kind. */
export const readSeed = (kind: ImportKind): Buffer =>
  readFileSync(new URL(`../../db/seed/${kind}.csv`, import.meta.url))

async function hasKey(owner: Queryable): Promise<boolean> {
  const { rows } = await owner.query<{ exists: boolean }>(
    `select exists (
      select
      from auth.api_keys
      inner join app.tenants on api_keys.tenant_id = tenants.id
      where tenants.slug = $1
    )`,
    [slug],
  )
  return rows[0]?.exists === true
}

async function createTenant(owner: Queryable): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into app.tenants (slug, name) values ($1, 'Demo Appraisal')
    on conflict (slug) do update set name = excluded.name
    returning id`,
    [slug],
  )
  return rows[0]?.id ?? ''
}

// Orders refer to these; otherwise the directory is filled through the API.
async function createOrganizations(owner: Queryable, tenantId: string): Promise<void> {
  await owner.query(
    `insert into app.organizations (
      tenant_id, external_reference, external_source, name, client_type, phone, email, website,
      address_line1, city, state, postal_code, account_number
    )
    values
      (
        $1, 'LENDER-100', 'demo', 'Blue Ridge Savings Bank', 'lender', '(703) 555-0142',
        'appraisals@blueridge.example', 'https://blueridge.example',
        '1200 Wilson Blvd', 'Arlington', 'VA', '22209', 'BR-2201'
      ),
      (
        $1, 'AMC-200', 'demo', 'Keystone Appraisal Management', 'amc', '(410) 555-0178',
        'orders@keystone-amc.example', 'https://keystone-amc.example',
        '36 S Charles St', 'Baltimore', 'MD', '21201', 'KS-7703'
      )
    on conflict do nothing`,
    [tenantId],
  )
}

// Key and token last, in one statement's transaction each: with them the demo is done.
async function createAccess(owner: Queryable, tenantId: string): Promise<DemoAccess> {
  const analyst = { name: slug, tenantIds: [tenantId], expiresInSeconds: null }
  const { token } = await insertAnalyst(owner, analyst)
  const { key } = await insertKey(owner, {
    tenantId,
    name: slug,
    scopes,
    environment: 'test',
    expiresInSeconds: null,
  })
  return { key, analystToken: token }
}
