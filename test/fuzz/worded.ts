// Rules of form that JSON Schema can't say and the document says in words, each with
// requests within and beyond it.
import { pdfOfSize } from '../setup/files.ts'
import { type FuzzRequest, type Known, contact } from './requests.ts'
import { fresh, freshEmail, freshText } from './values.ts'

type Change = (request: FuzzRequest, known: Known) => FuzzRequest

type Worded = {
  operation: string
  rule: string
  within: Change[]
  beyond: Change[]
  /** What answers beyond the rule. */
  code: string
}

const body =
  (parts: Record<string, unknown>): Change =>
  (request) => ({ ...request, body: { ...(request.body as object), ...parts } })

const only =
  (value: unknown): Change =>
  (request) => ({ ...request, body: value })

const key =
  (value: string): Change =>
  (request) => ({ ...request, headers: { ...request.headers, 'Idempotency-Key': value } })

const query =
  (parts: Record<string, string>): Change =>
  (request) => ({ ...request, query: parts })

/** An object of just so many bytes as compact JSON. */
const objectOf = (bytes: number): object => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })

const nested = (depth: number): object => {
  let value: object = {}
  for (let level = 1; level < depth; level += 1) value = { a: value }
  return value
}

const megabytes5 = 5 * 1024 * 1024
// What JSON.stringify makes of a body with one more property `notes`, but for its text.
const padded =
  (size: number): Change =>
  (request) => {
    const bare = { ...(request.body as object), zz: '' }
    const text = 'x'.repeat(size - Buffer.byteLength(JSON.stringify(bare)))
    return { ...request, body: { ...bare, zz: text } }
  }

const contacts = (...parts: object[]): Change => body({ contacts: parts.map((part) => ({ ...contact(), ...part })) })

const shared = { email: freshEmail(20), reference: freshText(9) }
const complete = { client_type: 'amc' }
const neededByOthers = ['phone', 'email', 'website', 'address_line1', 'city', 'state', 'postal_code']

export const worded: Worded[] = [
  {
    operation: 'create_quote',
    rule: 'metadata has at most 8192 bytes',
    within: [body({ metadata: objectOf(8192) }), body({ metadata: { a: 'ä'.repeat(4092) } })],
    beyond: [body({ metadata: objectOf(8193) }), body({ metadata: { a: 'ä'.repeat(4093) } })],
    code: 'validation_error',
  },
  {
    operation: 'create_quote',
    rule: 'metadata is nested in at most 64 levels',
    within: [body({ metadata: nested(64) })],
    beyond: [body({ metadata: nested(65) })],
    code: 'validation_error',
  },
  {
    operation: 'create_quote',
    rule: 'an Idempotency-Key has 1 to 255 visible ASCII characters',
    within: [key('k'), key(`${fresh()}`.padEnd(255, 'k')), key('"quoted"'), key('!~')],
    beyond: [key('k'.repeat(256)), key('a b'), key('ä'), key('k'.repeat(5000))],
    code: 'idempotency_key_invalid',
  },
  {
    operation: 'create_quote',
    rule: 'an Idempotency-Key that is empty is missing',
    within: [key('0')],
    beyond: [key(''), key('""')],
    code: 'idempotency_key_required',
  },
  {
    operation: 'create_quote',
    rule: 'a state is one of the US',
    within: ['AL', 'wy', 'DC', 'PR', 'GU'].map((state) => subject({ state })),
    beyond: ['XX', 'ZZ', '12', 'Ü1'].map((state) => subject({ state })),
    code: 'validation_error',
  },
  {
    operation: 'create_quote',
    rule: 'a phone has 10 digits of the American plan',
    within: ['6265550123', '+1 626 555 0123', '1-626-555-0123', '(626)555-0123', '626.555.0123'].map(clientPhone),
    beyond: ['1265550123', '6261550123', '626555012', '62655501234', '+44 626 555 0123', 'call me'].map(clientPhone),
    code: 'validation_error',
  },
  {
    operation: 'upsert_organization',
    rule: 'a body has at most 5 MiB',
    within: [],
    beyond: [padded(megabytes5 + 1)],
    code: 'payload_too_large',
  },
  {
    operation: 'upsert_organization',
    rule: 'a body of 5 MiB is read',
    within: [],
    beyond: [padded(megabytes5)],
    code: 'validation_error',
  },
  {
    operation: 'upsert_organization',
    rule: 'other types than lender are complete',
    within: [body(complete), body({ ...complete, client_type: 'private_party' }), body({ ...complete, client_type: 'other' })],
    beyond: neededByOthers.map((name) => body({ ...complete, [name]: null })),
    code: 'validation_error',
  },
  {
    operation: 'upsert_organization',
    rule: 'a lender needs nothing but a name',
    within: [
      (request) => only({ name: `Organization ${fresh()}`, client_type: 'lender' })(request, {} as Known),
    ],
    beyond: [only({ client_type: 'lender' }), only({ name: 'a' }), only({})],
    code: 'validation_error',
  },
  {
    operation: 'upsert_organization',
    rule: 'one contact at most is primary',
    within: [contacts({ is_primary: true }, {})],
    beyond: [contacts({ is_primary: true }, { is_primary: true })],
    code: 'validation_error',
  },
  {
    operation: 'upsert_organization',
    rule: 'contacts of a request have different e-mails and references',
    within: [contacts({}, { email: shared.email }, { external_reference: shared.reference })],
    beyond: [
      contacts({ email: shared.email }, { email: shared.email.toUpperCase() }),
      contacts({ external_reference: shared.reference }, { external_reference: shared.reference }),
    ],
    code: 'validation_error',
  },
  {
    operation: 'upsert_organization',
    rule: 'a contact of another type says which',
    within: [contacts({ contact_type: 'other', other_label: 'Owner' }), contacts({ other_label: null })],
    beyond: [contacts({ contact_type: 'other', other_label: null }), contacts({ contact_type: 'other', other_label: ' ' })],
    code: 'validation_error',
  },
  ...['upsert_organization', 'upsert_lead', 'create_quote'].map((operation): Worded => ({
    operation,
    rule: 'text has neither U+0000 nor half a character',
    within: [body({ notes: '\u0001\u{1f3e0}\ufffd' })],
    beyond: [body({ notes: 'a\0b' }), body({ notes: '\ud83c' }), body({ external_reference: '\udfe0' })],
    code: 'validation_error',
  })),
  {
    operation: 'upsert_lead',
    rule: 'a lead has just one locator',
    within: [
      (request, { reference }) => locators({ organization_external_reference: reference })(request),
      (request, { organization }) => locators({ organization_id: organization })(request),
    ],
    beyond: [
      (request) => locators({})(request),
      (request, { organization, reference }) =>
        locators({ organization_id: organization, organization_external_reference: reference })(request),
    ],
    code: 'validation_error',
  },
  ...['update_lead', 'update_organization'].map((operation): Worded => ({
    operation,
    rule: 'a change has a field',
    within: [only({ notes: 'a' }), only({ notes: null })],
    beyond: [only({})],
    code: 'validation_error',
  })),
  {
    operation: 'list_orders',
    rule: 'a filter is needed',
    within: [query({ order_number: 'a' }), query({ loan_number: 'a' }), query({ client_tracking_number: 'a' })],
    beyond: [query({}), query({ limit: '5' }), query({ order_number: '' })],
    code: 'missing_filter',
  },
  {
    operation: 'attach_document',
    rule: 'a file has at most 15 MiB',
    within: [(request) => body({ file: pdfOfSize(15 * 1024 * 1024) })(request, {} as Known)],
    beyond: [(request) => body({ file: pdfOfSize(15 * 1024 * 1024 + 1) })(request, {} as Known)],
    code: 'file_too_large',
  },
]

function subject(parts: object): Change {
  return (request) => {
    const whole = request.body as { subject: object }
    return { ...request, body: { ...whole, subject: { ...whole.subject, ...parts } } }
  }
}

function clientPhone(phone: string): Change {
  return body({ client: { name: 'Jane Doe', email: 'jane@example.com', phone } })
}

function locators(parts: Record<string, unknown>): (request: FuzzRequest) => FuzzRequest {
  return (request) => {
    const { organization_id: _, ...rest } = request.body as Record<string, unknown>
    return { ...request, body: { ...rest, ...parts } }
  }
}
