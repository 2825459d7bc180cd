// Random sequences of upserts, PATCHes and batches, played against the database and
// against the model in memory: every answer and every record agree. The alphabets are
// small, so that keys collide all the time.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type pg from 'pg'
import {
  type Tenant,
  type TestDatabase,
  createDatabase,
  createTenant,
  digestOf,
} from '../setup/database.ts'
import {
  type ContactBody,
  type Directory,
  type ModelOrganization,
  type OrganizationBody,
  type Outcome,
  patch,
  upsert,
} from '../setup/directory_model.ts'
import { type Fields, eventsOf, office } from '../setup/organizations.ts'

let db: TestDatabase
let client: pg.PoolClient
beforeAll(async () => {
  db = await createDatabase()
  client = await db.as('api').connect()
})
afterAll(async () => {
  client.release()
  await db.close()
})

type Command =
  | { kind: 'upsert'; body: OrganizationBody }
  | { kind: 'batch'; items: OrganizationBody[] }
  | { kind: 'patch'; which: number; body: Partial<OrganizationBody> }

const maybe = <T>(...values: T[]) => fc.constantFrom(...values, null)
const emails = ['a@x.example', 'A@X.example', 'b@x.example', 'c@x.example', 'C@x.EXAMPLE']

const contactBody: fc.Arbitrary<ContactBody> = fc.record(
  {
    external_reference: maybe('P-1', 'P-2', 'P-3'),
    display_name: fc.constantFrom('Ann', 'Bob', 'Cy'),
    email: fc.constantFrom(...emails),
    phone: maybe('(626) 555-0101', '(626) 555-0102'),
    contact_type: fc.constantFrom('billing', 'account_manager'),
    is_primary: maybe(true, false),
  },
  { requiredKeys: ['display_name', 'email', 'contact_type'] },
)

const alone = <T>(values: (T | null | undefined | false)[]) => {
  const given = values.filter((value) => value)
  return new Set(given).size === given.length
}

const contactBodies = fc
  .array(contactBody, { maxLength: 4 })
  .filter(
    (bodies) =>
      alone(bodies.map(({ external_reference }) => external_reference)) &&
      alone(bodies.map(({ email }) => email.toLowerCase())) &&
      alone(bodies.map(({ is_primary }) => is_primary)),
  )

const keys = {
  external_reference: maybe('R-1', 'R-2', 'R-3'),
  account_number: maybe('AC-1', 'AC-1', 'AC-2'),
  name: fc.constantFrom('Alpha', 'ALPHA', 'Beta', 'Gamma'),
}

const rest = {
  client_type: fc.constantFrom('lender', 'lender', 'amc'),
  notes: maybe('x', 'y'),
  is_active: maybe(true, false),
  contacts: fc.option(contactBodies),
}

const oneOfOffice = fc.constantFrom(...(Object.keys(office) as (keyof typeof office)[]))

/** All of an office, mostly; else one field of it is null or left out, or all are. */
const officeBody: fc.Arbitrary<Fields> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Fields>(office) },
  { weight: 1, arbitrary: oneOfOffice.map((field) => ({ ...office, [field]: null })) },
  {
    weight: 1,
    arbitrary: oneOfOffice.map((field) =>
      Object.fromEntries(Object.entries(office).filter(([name]) => name !== field)),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Fields>({}) },
)

const upsertBody = fc
  .tuple(fc.record({ ...keys, ...rest }, { requiredKeys: ['name', 'client_type'] }), officeBody)
  .map(([body, more]) => ({ ...more, ...body }) as OrganizationBody)

const patchBody = fc
  .tuple(
    fc.record({ ...keys, ...rest }, { requiredKeys: [] }),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<Fields>({}) },
      { weight: 1, arbitrary: fc.constant<Fields>(office) },
      { weight: 2, arbitrary: oneOfOffice.map((field) => ({ [field]: null })) },
    ),
  )
  .map(([body, more]) => ({ ...more, ...body }) as Partial<OrganizationBody>)
  .filter((body) => Object.keys(body).length > 0)

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('upsert' as const), body: upsertBody }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('patch' as const),
      which: fc.nat(20),
      body: patchBody,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      items: fc.array(upsertBody, { minLength: 1, maxLength: 8 }),
    }),
  },
)

// ---------------------------------------------------------------- the database's side

let serial = 0

async function call(text: string, values: unknown[]): Promise<{ status: number; body: any }> {
  const statement = { name: text.slice(0, 60), text: `select reply.* from ${text} as reply`, values }
  try {
    const { rows } = await client.query<{ status: number; body: string }>(statement)
    return { status: rows[0]?.status ?? 0, body: JSON.parse(rows[0]?.body ?? 'null') }
  } catch (error) {
    const { code, constraint } = error as { code: string; constraint: string }
    if (!code.startsWith('PT')) throw error
    return { status: Number(code.slice(2)), body: { code: constraint } }
  }
}

const post = (operation: string, tenant: Tenant, body: unknown) =>
  call(`api.${operation}(auth.enter($1, 'organizations:write'), $2, $3, $4)`, [
    digestOf(tenant.key),
    `key-${(serial += 1)}`,
    Buffer.alloc(32),
    JSON.stringify(body),
  ])

// ---------------------------------------------------------------- one sequence

/** What came out, over all sequences. */
const seen = new Map<string, number>()
const note = (outcome: Outcome): Outcome => {
  const what = outcome.action === 'error' ? outcome.code : outcome.action
  seen.set(what, (seen.get(what) ?? 0) + 1)
  return outcome
}

type Play = { tenant: Tenant; directory: Directory; ids: Map<ModelOrganization, string> }

const status = (outcome: Outcome): number => {
  if (outcome.action === 'error') return outcome.code === 'validation_error' ? 422 : 409
  return outcome.action === 'created' ? 201 : 200
}

const organizationFields = [
  'external_reference', 'name', 'client_type', 'phone', 'email', 'website', 'address_line1',
  'city', 'state', 'postal_code', 'account_number', 'notes', 'is_active',
]
const contactFields = [
  'external_reference', 'display_name', 'email', 'phone', 'contact_type', 'is_primary',
]

const pick = (row: Fields, fields: string[]): Fields =>
  Object.fromEntries(fields.map((field) => [field, row[field]]))

/** A record as the model has it: no ids, no times, contacts by e-mail. */
const comparable = (row: Fields): Fields => ({
  ...pick(row, organizationFields),
  contacts: ((row['contacts'] ?? []) as Fields[])
    .map((contact) => pick(contact, contactFields))
    .toSorted((a, b) => String(a['email']).localeCompare(String(b['email']))),
})

/** The record that an outcome stands for, kept under one id for good. */
function expectId({ ids }: Play, outcome: Outcome, id: string): void {
  if (outcome.action === 'error') throw new Error('an error has no id')
  if (outcome.action === 'created') ids.set(outcome.organization, id)
  expect(id).toBe(ids.get(outcome.organization))
}

function expectAnswer(play: Play, outcome: Outcome, answer: { status: number; body: any }): void {
  if (outcome.action === 'error') {
    expect(answer).toEqual({ status: status(outcome), body: { code: outcome.code } })
    return
  }
  expect({ status: answer.status, action: answer.body.action }).toEqual({
    status: status(outcome),
    action: outcome.action,
  })
  expectId(play, outcome, answer.body.id)
  expect(comparable(answer.body)).toEqual(comparable(outcome.organization))
}

async function run(play: Play, step: Command): Promise<number> {
  const { tenant, directory } = play
  if (step.kind === 'upsert') {
    const outcome = note(upsert(directory, step.body))
    expectAnswer(play, outcome, await post('upsert_organization', tenant, step.body))
    return outcome.action === 'error' ? 0 : 1
  }
  if (step.kind === 'patch') {
    const organization = directory[step.which % directory.length]
    if (!organization) return 0
    const outcome = note(patch(directory, organization, step.body))
    const answer = await call(
      `api.update_organization(auth.enter($1, 'organizations:write'), $2, $3)`,
      [digestOf(tenant.key), play.ids.get(organization), JSON.stringify(step.body)],
    )
    expectAnswer(play, outcome, answer)
    return outcome.action === 'error' ? 0 : 1
  }
  const outcomes = step.items.map((item) => note(upsert(directory, item)))
  const { body } = await post('upsert_organization_batch', tenant, { items: step.items })
  for (const [index, outcome] of outcomes.entries()) {
    const result = body.results[index]
    expect(result).toMatchObject({
      index,
      external_reference: step.items[index]?.external_reference ?? null,
      action: outcome.action,
      error_code: outcome.action === 'error' ? outcome.code : null,
    })
    if (outcome.action !== 'error') expectId(play, outcome, result.id)
  }
  return outcomes.filter(({ action }) => action !== 'error').length
}

it('agrees with the model on 1,000 random sequences', async () => {
  const sequence = fc.array(command, { minLength: 4, maxLength: 14, size: 'max' })
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      const play: Play = { tenant: await createTenant(db), directory: [], ids: new Map() }
      let successes = 0
      for (const step of steps) successes += await run(play, step)

      const listed = await call(
        `api.list_organizations(auth.enter($1, 'organizations:read'), null, null, 100, 0)`,
        [digestOf(play.tenant.key)],
      )
      const byId = new Map<string, Fields>(listed.body.items.map((row: any) => [row.id, row]))
      expect(byId.size).toBe(play.directory.length)
      for (const organization of play.directory) {
        const row = byId.get(play.ids.get(organization) ?? '')
        expect(comparable(row ?? {})).toEqual(comparable(organization))
      }
      expect(await eventsOf(db, play.tenant)).toHaveLength(successes)
    }),
    { numRuns: 1000 },
  )
  // The alphabets are small enough when none of these is rare.
  expect([...seen.keys()].toSorted()).toEqual([
    'ambiguous_match',
    'conflict',
    'contact_conflict',
    'created',
    'external_reference_conflict',
    'name_conflict',
    'updated',
    'validation_error',
  ])
  expect(Math.min(...seen.values())).toBeGreaterThan(20)
}, 180_000)
