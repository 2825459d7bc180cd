// What is measured: six operations, each as the requests that a generator sends in turn.
// Every contender has a tenant of its own with the same rows, so that one's writes are
// not another's.
import { serialMark } from './generator.ts'

export const rows = { quotes: 10_000, organizations: 10_000, contacts: true }

export type Target = { key: string; quoteIds: string[] }

export type Call = { method: 'GET' | 'POST'; path: string; body?: unknown }

export type Operation = {
  name: string
  title: string
  connections: number
  calls(target: Target): Call[]
  /** What a contender answers for a first call. */
  status: number
  /** Connections of pgbench, as many as two cores work for. */
  limitClients: number
  /** What pgbench calls: function, scope, and its arguments as SQL. */
  limit(target: Target): { call: string; scope: string; args: string[] }
  /** Rows that one request writes, and the operation that writes one. */
  rowsEach?: number
  single?: string
}

const subject = { line1: '12 Main St', city: 'Pasadena', state: 'CA', county: 'Los Angeles' }

const quote = (): unknown => ({
  external_reference: `N-${serialMark}`,
  product_code: 'URAR',
  subject,
  client: { name: 'Jane Doe', email: 'jane@example.com' },
  notes: 'Please call before the visit.',
})

/** An organization that is there, with something changed. */
const organization = (number: number): unknown => {
  const block = Math.floor(number / 100)
  return {
    external_reference: `O-${number}`,
    name: `${word(block % 7)} ${word(block % 11)} ${number}`,
    client_type: block % 4 === 0 ? 'lender' : 'amc',
    phone: '(626) 555-0140',
    email: `orders${number}@summit.example`,
    website: 'https://summit.example',
    address_line1: `${number} Lake Ave`,
    city: 'Pasadena',
    state: 'CA',
    postal_code: '91101',
    account_number: `AC-${number}`,
    amc_license_number: `L-${serialMark}`,
    contacts: [
      {
        external_reference: 'P-1',
        display_name: 'Ann Lee',
        email: 'ann@summit.example',
        contact_type: 'billing',
        is_primary: true,
      },
    ],
  }
}

const words = [
  'Summit', 'First', 'Valley', 'Harbor', 'Granite', 'Pioneer', 'Beacon', 'Bank', 'Lending',
  'Mortgage', 'Valuation',
]
const word = (index: number): string => words[index] ?? ''

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** A hundred that no other page has. */
const hundred = (page: number): unknown[] =>
  upTo(100).map((n) => organization(4000 + page * 100 + n))

/** Rare, frequent, and none at all. */
const searches = ['00123', 'summit first', 'bank 77', '4711', 'lend', 'nobody']

// In pgbench's scripts a colon before a letter names a variable.
const quoted = (value: unknown): string =>
  `'${JSON.stringify(value).replaceAll('":', '": ').replaceAll("'", "''")}'`

const fresh = "'limit-' || :client_id || '-' || :serial"
const print = String.raw`'\x00'::bytea`

/** One of some bodies, with a number of its own. */
const bodyOf = (values: unknown[], index: string): string =>
  `replace((array[${values.map(quoted).join(', ')}])[1 + ${index}], '${serialMark}', (:serial)::text)::jsonb`

export const operations: Operation[] = [
  {
    name: 'read_quote',
    title: 'GET quote',
    connections: 32,
    limitClients: 8,
    status: 200,
    calls: ({ quoteIds }) => quoteIds.map((id) => ({ method: 'GET', path: `/quotes/${id}` })),
    limit: ({ quoteIds }) => ({
      call: 'api.read_quote',
      scope: 'quotes:read',
      args: [`'${quoteIds[0]}'::uuid`],
    }),
  },
  {
    name: 'create_quote',
    title: 'POST quote',
    connections: 32,
    limitClients: 16,
    status: 201,
    calls: () => [{ method: 'POST', path: '/quotes', body: quote() }],
    limit: () => ({
      call: 'api.create_quote',
      scope: 'quotes:write',
      args: [fresh, print, bodyOf([quote()], '0')],
    }),
  },
  {
    name: 'preview_fee',
    title: 'fee preview',
    connections: 32,
    limitClients: 8,
    status: 200,
    calls: () => [{ method: 'POST', path: '/fees/preview', body: { product_code: 'URAR', subject } }],
    limit: () => ({
      call: 'api.preview_fee',
      scope: 'fees:read',
      args: [`${quoted({ product_code: 'URAR', subject })}::jsonb`],
    }),
  },
  {
    name: 'upsert_organization',
    title: 'organization upsert',
    connections: 32,
    limitClients: 16,
    status: 200,
    calls: () =>
      upTo(2000).map((n) => ({ method: 'POST', path: '/organizations', body: organization(n) })),
    limit: () => ({
      call: 'api.upsert_organization',
      scope: 'organizations:write',
      args: [fresh, print, bodyOf(upTo(64).map(organization), '((:serial)::bigint % 64)::integer')],
    }),
  },
  {
    name: 'upsert_organization_batch',
    title: 'batch of 100',
    connections: 8,
    limitClients: 4,
    status: 200,
    rowsEach: 100,
    single: 'upsert_organization',
    calls: () =>
      upTo(50).map((page) => ({
        method: 'POST',
        path: '/organizations/batch',
        body: { items: hundred(page) },
      })),
    limit: () => ({
      call: 'api.upsert_organization_batch',
      scope: 'organizations:write',
      args: [
        fresh,
        print,
        bodyOf([0, 1, 2, 3].map((page) => ({ items: hundred(page) })), ':client_id % 4'),
      ],
    }),
  },
  {
    name: 'list_organizations',
    title: 'list with q',
    connections: 16,
    limitClients: 8,
    status: 200,
    calls: () =>
      searches.map((q) => ({ method: 'GET', path: `/organizations?q=${encodeURIComponent(q)}&limit=20` })),
    limit: () => ({
      call: 'api.list_organizations',
      scope: 'organizations:read',
      args: [`(array[${searches.map((q) => `'${q}'`).join(', ')}])[1 + ((:serial)::bigint % 6)::integer]`, 'null', '20', '0'],
    }),
  },
]

/** Whole requests for the generator. */
export function httpRequests(operation: Operation, target: Target): string[] {
  return operation.calls(target).map(({ method, path, body }) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    return [
      `${method} /public/v1${path} HTTP/1.1`,
      'Host: bench',
      `Authorization: Bearer ${target.key}`,
      ...(body === undefined
        ? []
        : [
            `Idempotency-Key: bench-${serialMark}`,
            'Content-Type: application/json',
            `Content-Length: ${Buffer.byteLength(text)}`,
          ]),
      '',
      text,
    ].join('\r\n')
  })
}
