// Requests that the service accepts as they are, one for each operation, and how a value
// is put into one of their places.
import { type TestApi, freshKey } from '../setup/api.ts'
import { createOrder } from '../setup/orders.ts'
import { multipart, multipartType, pdf } from '../setup/files.ts'
import { createAppraiser, createProduct, quoteRequest } from '../setup/catalogue.ts'
import { absent } from './constraints.ts'
import type { Site } from './schema.ts'
import { fresh, freshEmail, freshText, validOf } from './values.ts'

type Fields = Record<string, any>

export type FuzzRequest = {
  method: string
  /** In the document's form, with names in braces. */
  path: string
  parameters: Fields
  query: Fields
  headers: Fields
  /** JSON, or the fields of a form. */
  body?: unknown
  isForm?: boolean
}

/** Records that requests refer to. */
export type Known = {
  quote: string
  organization: string
  /** Those that are patched: several, because their contacts add up. */
  patched: string[]
  lead: string
  order: string
  /** The external_reference of all that have one. */
  reference: string
}

const one = <T>(values: T[]): T => values[fresh() % values.length] as T

export const contact = (): Fields => ({
  external_reference: freshText(9),
  display_name: 'Ann Lee',
  email: freshEmail(24),
  phone: '(626) 555-0141',
  contact_type: 'billing',
  other_label: 'Owner',
  is_primary: false,
})

/** A lender, who needs nothing, with all that other types need. */
export const organization = (): Fields => ({
  external_reference: freshText(12),
  external_source: 'crm',
  name: `Organization ${fresh()}`,
  client_type: 'lender',
  phone: '(626) 555-0140',
  email: 'orders@summit.example',
  website: 'https://summit.example',
  address_line1: '400 Lake Ave',
  address_line2: 'Suite 12',
  city: 'Pasadena',
  state: 'CA',
  postal_code: '91101',
  account_number: freshText(11),
  amc_license_number: 'CA-1234',
  notes: 'Send invoices by the 5th.',
  is_active: true,
  paid_when_paid: false,
  contacts: [contact()],
})

const lead = (locator: Fields): Fields => ({
  external_reference: freshText(12),
  external_source: 'crm',
  title: 'New branch',
  stage: 'qualified',
  amount_cents: 250_000,
  notes: 'They want a first call in May.',
  ...locator,
})

const quote = (): Fields =>
  quoteRequest({
    schema_version: 1,
    external_reference: freshText(12),
    product_code: 'P',
    borrower: { name: 'Sam Roe', email: 'sam@roe.example', phone: '(626) 555-0124' },
    client: { name: 'Jane Doe', email: 'jane@example.com', phone: '(626) 555-0123' },
    subject: {
      line1: '12 Main St', line2: 'Unit 2', city: 'Pasadena', state: 'CA',
      county: 'Los Angeles', postal_code: '91101',
    },
    notes: 'Gate code 1234.',
    source: 'website',
    metadata: { loan_officer: 'P. Smith' },
  })

/** What the requests refer to, made by requests. */
export async function prepare(api: TestApi): Promise<Known> {
  for (const code of ['P', 'P'.repeat(64)]) await createProduct(api.db, api.tenant, { code })
  await createAppraiser(api.db, api.tenant, { covers: [['CA']], fees: [['450.00', 5]] })
  const post = async (path: string, body: Fields): Promise<string> =>
    (await api.send('POST', path, { headers: freshKey(), body })).body.id
  const reference = 'KNOWN'
  const named = { external_reference: reference }
  const organizationId = await post('/organizations', { ...organization(), ...named })
  const patched: string[] = []
  for (let index = 0; index < 40; index += 1) {
    patched.push(await post('/organizations', organization()))
  }
  const orderColumns = { order_number: reference, engaging_client_id: organizationId }
  return {
    quote: await post('/quotes', { ...quote(), ...named }),
    organization: organizationId,
    patched,
    lead: await post('/leads', { ...lead({ organization_id: organizationId }), ...named }),
    order: await createOrder(api.db, api.tenant, orderColumns),
    reference,
  }
}

type Maker = (known: Known, site: Site | null, value: unknown) => Partial<FuzzRequest>

/** Operation -> the parts of an accepted request that differ from an empty one. */
const makers: Record<string, Maker> = {
  check_coverage: () => ({ body: { state: 'CA', county: 'Los Angeles', product_code: 'P' } }),
  preview_fee: () => ({ body: { product_code: 'P', subject: quote()['subject'] as Fields } }),
  create_quote: () => ({ body: quote() }),
  find_quote: ({ reference }) => ({ query: { external_reference: reference } }),
  read_quote: (known) => ({ parameters: { quote_id: known.quote } }),
  attach_document: (known) => ({
    parameters: { quote_id: known.quote },
    body: { file: pdf(), document_type: 'letter_of_engagement' },
    isForm: true,
  }),
  upsert_organization: () => ({ body: organization() }),
  upsert_organization_batch: () => ({ body: { items: [organization()] } }),
  update_organization: (known) => ({ parameters: { id: one(known.patched) }, body: organization() }),
  list_organizations: () => ({ query: { q: 'a', client_type: 'lender', limit: '5', offset: '0' } }),
  find_organization: ({ reference }) => ({ query: { external_reference: reference } }),
  read_organization: (known) => ({ parameters: { id: known.organization } }),
  upsert_lead: (known, site, value) => ({ body: lead(locatorFor(known, site, value)) }),
  upsert_lead_batch: (known, site, value) => ({ body: { items: [lead(locatorFor(known, site, value))] } }),
  update_lead: (known) => {
    const { external_reference: _, ...body } = lead({})
    return { parameters: { id: known.lead }, body }
  },
  list_leads: (known) => ({
    query: { stage: 'lead', organization_id: known.organization, limit: '5', offset: '0' },
  }),
  find_lead: ({ reference }) => ({ query: { external_reference: reference } }),
  read_lead: (known) => ({ parameters: { id: known.lead } }),
  list_orders: () => ({ query: { order_number: 'KNOWN', loan_number: 'a', client_tracking_number: 'a' } }),
  read_order: (known) => ({ parameters: { id: known.order } }),
}

// A lead names its organization in one of three ways: the one that is tried, or another
// where that one is taken away.
function locatorFor(known: Known, site: Site | null, value: unknown): Fields {
  const path = site?.path.filter((part) => part !== 'items' && part !== 0) ?? []
  const tried = path[0]
  const isTaken = path.length === 1 && (value === null || value === absent || value === '' || value === '  ')
  if (tried === 'organization' && !isTaken) return { organization: organization() }
  if (tried === 'organization_external_reference' && !isTaken) {
    return { organization_external_reference: known.reference }
  }
  return tried === 'organization_id' && isTaken
    ? { organization_external_reference: known.reference }
    : { organization_id: known.organization }
}

export type OperationName = { method: string; path: string; id: string; isIdempotent: boolean }

/** A request that is accepted; where a place is about to be tried, one that has it. */
export function baseOf(
  operation: OperationName,
  known: Known,
  site: Site | null = null,
  value?: unknown,
): FuzzRequest {
  return {
    method: operation.method,
    path: operation.path,
    parameters: {},
    query: {},
    headers: {
      ...(operation.isIdempotent ? freshKey() : {}),
      ...(fresh() % 2 ? { 'X-Request-Id': `fuzz-${fresh()}` } : {}),
    },
    ...makers[operation.id]?.(known, site, value),
  }
}

/** Gives a valid value for a place of an operation, a fresh one each time. */
export const validFor =
  (operation: OperationName, known: Known) =>
  (site: Site): unknown => {
    const { parameters, query, body } = baseOf(operation, known, site)
    let value: any = { path: parameters, query, header: {}, body }[site.place]
    for (const part of site.path) value = value?.[part]
    return value ?? validOf(String(site.path.at(-1)), site.schema)
  }

/** A copy of a request with a value in a place; its parents must be there. */
export function withValue(request: FuzzRequest, site: Site, value: unknown): FuzzRequest {
  const copy = copyOf(request)
  const { place, path } = site
  const holders = { path: 'parameters', query: 'query', header: 'headers', body: 'body' } as const
  if (path.length === 0) {
    if (value === absent) delete copy.body
    else copy.body = value
    return copy
  }
  let parent: any = copy[holders[place]]
  for (const part of path.slice(0, -1)) parent = parent?.[part]
  // Another change may have taken the place away.
  if (typeof parent !== 'object' || parent === null || JSON.isRawJSON(parent)) return copy
  const last = path.at(-1) as string
  if (value === absent) delete parent[last]
  else parent[last] = value
  return copy
}

// Values such as raw JSON numbers are shared: nobody changes them.
function copyOf(request: FuzzRequest): FuzzRequest {
  const clone = (value: any): any =>
    Array.isArray(value)
      ? value.map(clone)
      : Object.getPrototypeOf(value ?? 0) === Object.prototype
        ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, clone(part)]))
        : value
  return clone(request) as FuzzRequest
}

/** The address of a request, below the base path. */
export function addressOf({ path, parameters, query }: FuzzRequest): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(wellFormed(parameters[name])),
  )
  const search = Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(value))}`)
    .join('&')
  return search === '' ? filled : `${filled}?${search}`
}

// What has no UTF-8 can't be written in a URL.
const wellFormed = (value: unknown): string => shortened(value).toWellFormed()

// Node itself refuses more than 16 KiB before the body, before there is an operation; a
// character of a URL can take nine of them.
const shortened = (value: unknown): string => textOf(value).slice(0, 410)

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** How a request is sent: its headers and its body. */
export function transportOf({ headers, body, isForm }: FuzzRequest) {
  const sendable = Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name, shortened(value)] as const)
      // fetch sends no others.
      .filter(([, value]) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)),
  )
  if (!isForm) return { headers: sendable, ...(body === undefined ? {} : { body }) }
  const parts = Object.entries((body ?? {}) as Fields).map(([name, value]) =>
    Buffer.isBuffer(value)
      ? { name, fileName: '"a.pdf"', type: 'application/pdf', data: value }
      : { name, data: Buffer.from(textOf(value)) },
  )
  return { headers: { ...sendable, ...multipartType }, raw: multipart(parts) }
}
