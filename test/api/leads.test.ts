// Leads: matched by reference, about one organization, nested ones upserted first.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestApi, createApi, freshKey } from '../setup/api.ts'
import { type Tenant, createKey, createTenant } from '../setup/database.ts'
import { type Fields, amc, lender } from '../setup/organizations.ts'

let api: TestApi
beforeAll(async () => {
  api = await createApi()
})
afterAll(() => api.close())

type Arranged = { tenant: Tenant; organizationId: string }

/** A tenant of its own with one lender, R-1. */
async function arrange(): Promise<Arranged> {
  const tenant = await createTenant(api.db)
  const { body } = await api.send('POST', '/organizations', {
    key: tenant.key,
    headers: freshKey(),
    body: lender({ name: 'First Bank', external_reference: 'R-1' }),
  })
  return { tenant, organizationId: body.id }
}

const post = (tenant: Tenant, body: unknown, path = '/leads') =>
  api.send('POST', path, { key: tenant.key, headers: freshKey(), body })

const batch = async (tenant: Tenant, ...items: unknown[]): Promise<Fields[]> =>
  (await post(tenant, { items }, '/leads/batch')).body.results

const patch = (tenant: Tenant, id: string, body: unknown) =>
  api.send('PATCH', `/leads/${id}`, { key: tenant.key, body })

const get = (tenant: Tenant, path: string) => api.send('GET', path, { key: tenant.key })

const lead = (parts: Fields = {}): Fields => ({
  title: 'New branch',
  organization_external_reference: 'R-1',
  ...parts,
})

const countLeads = async (tenant: Tenant): Promise<number> =>
  (await get(tenant, '/leads?limit=100')).body.items.length

async function events(tenant: Tenant): Promise<Fields[]> {
  const { rows } = await api.db.owner.query<{ event: Fields }>(
    `select jsonb_build_object('type', type) || data as event
    from outbox.events where tenant_id = $1 order by id`,
    [tenant.id],
  )
  return rows.map(({ event }) => event)
}

const faults = (body: any) => body.detail.map(({ loc, type }: Fields) => ({ loc, type }))

describe('POST /leads 201', () => {
  it('creates a lead with its defaults, and emits its event', async () => {
    const { tenant, organizationId } = await arrange()
    const { status, body } = await post(tenant, lead())
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      external_reference: null,
      external_source: null,
      title: 'New branch',
      stage: 'lead',
      amount_cents: null,
      notes: null,
      organization_id: organizationId,
      organization_external_reference: 'R-1',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      action: 'created',
    })
    expect((await events(tenant)).at(-1)).toEqual({
      type: 'lead.upserted',
      id: body.id,
      external_reference: null,
      organization_id: organizationId,
      action: 'created',
    })
  })

  it('takes every field, and removes value language from notes', async () => {
    const { tenant, organizationId } = await arrange()
    const { status, body } = await post(tenant, {
      external_reference: 'L-1',
      external_source: 'crm',
      title: '  New branch ',
      stage: 'won',
      amount_cents: 100_000_000_000,
      notes: 'Call in May. The market value is $450,000.',
      organization_id: organizationId,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      external_reference: 'L-1',
      external_source: 'crm',
      title: 'New branch',
      stage: 'won',
      amount_cents: 100_000_000_000,
      notes: 'Call in May.',
    })
  })

  it('creates one each time when there is no reference', async () => {
    const { tenant } = await arrange()
    expect((await post(tenant, lead())).status).toBe(201)
    expect((await post(tenant, lead({ external_reference: null }))).status).toBe(201)
    expect(await countLeads(tenant)).toBe(2)
  })

  it('upserts a nested organization first, with an event of its own', async () => {
    const tenant = await createTenant(api.db)
    const organization = amc({ name: 'Summit', external_reference: 'O-9' })
    const { status, body } = await post(tenant, { title: 'Referral', organization })
    expect(status).toBe(201)
    expect(body.organization_external_reference).toBe('O-9')
    expect(await events(tenant)).toEqual([
      {
        type: 'organization.upserted',
        id: body.organization_id,
        external_reference: 'O-9',
        client_type: 'amc',
        action: 'created',
      },
      expect.objectContaining({ type: 'lead.upserted', id: body.id, action: 'created' }),
    ])
    const again = await post(tenant, { title: 'Second', organization })
    expect(again.body.organization_id).toBe(body.organization_id)
    expect((await events(tenant)).at(-2)).toMatchObject({ action: 'updated' })
  })
})

describe('POST /leads 200', () => {
  it('refreshes the lead with the reference: what is left out stays, null clears', async () => {
    const { tenant } = await arrange()
    const first = await post(
      tenant,
      lead({ external_reference: 'L-1', stage: 'proposal', amount_cents: 5, notes: 'a' }),
    )
    const { status, body } = await post(
      tenant,
      lead({ external_reference: 'L-1', title: 'Other', amount_cents: null, stage: null }),
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: first.body.id,
      action: 'updated',
      title: 'Other',
      stage: 'proposal',
      amount_cents: null,
      notes: 'a',
    })
    expect(await countLeads(tenant)).toBe(1)
    expect((await events(tenant)).at(-1)).toMatchObject({ action: 'updated' })
  })

  it('moves the lead when another organization is named', async () => {
    const { tenant, organizationId } = await arrange()
    await post(tenant, lead({ external_reference: 'L-1' }))
    const { body } = await post(tenant, {
      title: 'New branch',
      external_reference: 'L-1',
      organization: lender({ name: 'Second Bank' }),
    })
    expect(body.action).toBe('updated')
    expect(body.organization_id).not.toBe(organizationId)
  })

  it('replays the first answer to a key', async () => {
    const { tenant } = await arrange()
    const request = { key: tenant.key, headers: freshKey(), body: lead() }
    const first = await api.send('POST', '/leads', request)
    const again = await api.send('POST', '/leads', request)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await countLeads(tenant)).toBe(1)
  })
})

describe('403', () => {
  it('refuses a nested organization without organizations:write, and saves nothing', async () => {
    const { id } = await createTenant(api.db)
    const tenant = { id, slug: '', key: await createKey(api.db, id, { scopes: ['leads:write'] }) }
    const answer = await post(tenant, { title: 'Referral', organization: lender() })
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect(answer.headers.get('www-authenticate')).toContain('scope="organizations:write"')
    expect(await events(tenant)).toEqual([])
  })
})

describe('404', () => {
  it('answers an unknown organization, by id and by reference', async () => {
    const { tenant } = await arrange()
    const other = await arrange()
    for (const locator of [
      { organization_id: other.organizationId },
      { organization_id: '00000000-0000-0000-0000-000000000000' },
      { organization_external_reference: 'R-2' },
    ]) {
      const answer = await post(tenant, { title: 'New branch', ...locator })
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await countLeads(tenant)).toBe(0)
  })

  it('answers another company\'s lead like an unknown one', async () => {
    const { tenant } = await arrange()
    const other = await arrange()
    const { body } = await post(other.tenant, lead({ external_reference: 'L-1' }))
    for (const answer of [
      await get(tenant, `/leads/${body.id}`),
      await get(tenant, '/leads/by-reference?external_reference=L-1'),
      await patch(tenant, body.id, { stage: 'lost' }),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })
})

describe('409', () => {
  it('is the nested organization\'s own error, and saves neither', async () => {
    const { tenant } = await arrange()
    const organization = lender({ name: 'First Bank', external_reference: 'R-2' })
    const answer = await post(tenant, { title: 'New branch', organization })
    expect(answer).toMatchObject({ status: 409, body: { code: 'name_conflict' } })
    expect(await countLeads(tenant)).toBe(0)
  })
})

describe('422', () => {
  it.each<[string, Fields, unknown[]]>([
    ['no title', { title: undefined }, [{ loc: ['body', 'title'], type: 'missing' }]],
    ['a blank title', { title: ' ' }, [{ loc: ['body', 'title'], type: 'string_too_short' }]],
    ['a long title', { title: 'x'.repeat(201) }, [{ loc: ['body', 'title'], type: 'string_too_long' }]],
    ['an unknown stage', { stage: 'open' }, [{ loc: ['body', 'stage'], type: 'enum' }]],
    ['a negative amount', { amount_cents: -1 }, [{ loc: ['body', 'amount_cents'], type: 'number_too_small' }]],
    ['a huge amount', { amount_cents: 100_000_000_001 }, [{ loc: ['body', 'amount_cents'], type: 'number_too_large' }]],
    ['part of a cent', { amount_cents: 1.5 }, [{ loc: ['body', 'amount_cents'], type: 'int_type' }]],
    ['long notes', { notes: 'x'.repeat(10_001) }, [{ loc: ['body', 'notes'], type: 'string_too_long' }]],
    ['an unknown property', { value: 1 }, [{ loc: ['body', 'value'], type: 'extra_forbidden' }]],
    ['no locator', { organization_external_reference: null }, [{ loc: ['body'], type: 'missing' }]],
    ['two locators', { organization: lender() }, [{ loc: ['body'], type: 'too_many_locators' }]],
    [
      'a nested organization\'s form',
      { organization_external_reference: null, organization: { client_type: 'lender' } },
      [{ loc: ['body', 'organization', 'name'], type: 'missing' }],
    ],
  ])('refuses %s', async (_name, parts, expected) => {
    const answer = await post(api.tenant, lead(parts))
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
    expect(faults(answer.body)).toEqual(expected)
  })

  it('names what a nested organization lacks, and saves neither', async () => {
    const tenant = await createTenant(api.db)
    const { phone: _phone, ...organization } = amc()
    const answer = await post(tenant, { title: 'Referral', organization })
    expect(answer.status).toBe(422)
    expect(faults(answer.body)).toEqual([
      { loc: ['body', 'organization', 'phone'], type: 'missing' },
    ])
    expect(await events(tenant)).toEqual([])
  })
})

describe('POST /leads/batch', () => {
  it('answers a row for each item, in order; a later row may refresh an earlier one', async () => {
    const { tenant, organizationId } = await arrange()
    const before = (await events(tenant)).length
    const organization = lender({ name: 'Third Bank', external_reference: 'R-3' })
    const rows = await batch(
      tenant,
      lead({ external_reference: 'L-1' }),
      lead({ organization_external_reference: 'R-404', external_reference: 'L-2' }),
      { title: 'Referral', organization },
      { title: 'Later', organization_external_reference: 'R-3' },
      lead({ external_reference: 'L-1', title: 'Other' }),
      { title: 'x', organization: lender({ name: 'First Bank', external_reference: 'R-9' }) },
      { title: 'x', organization: { name: 'Bare', client_type: 'amc' } },
      { title: 'x', organization_id: organizationId },
    )
    const saved = (action: string) => ({ action, id: expect.any(String), error_code: null, message: null })
    const failed = (code: string) => ({ action: 'error', id: null, error_code: code, message: expect.any(String) })
    expect(rows).toEqual([
      { index: 0, external_reference: 'L-1', ...saved('created') },
      { index: 1, external_reference: 'L-2', ...failed('not_found') },
      { index: 2, external_reference: null, ...saved('created') },
      { index: 3, external_reference: null, ...saved('created') },
      { index: 4, external_reference: 'L-1', ...saved('updated') },
      { index: 5, external_reference: null, ...failed('name_conflict') },
      { index: 6, external_reference: null, ...failed('validation_error') },
      { index: 7, external_reference: null, ...saved('created') },
    ])
    expect(rows[4]?.['id']).toBe(rows[0]?.['id'])
    const types = (await events(tenant)).slice(before).map(({ type }) => type)
    expect(types.filter((type) => type === 'lead.upserted')).toHaveLength(5)
    expect(types.filter((type) => type === 'organization.upserted')).toHaveLength(1)
  })

  it('refuses the rows with a nested organization when the scope is missing', async () => {
    const { tenant } = await arrange()
    const key = await createKey(api.db, tenant.id, { scopes: ['leads:write', 'leads:read'] })
    const rows = await batch({ ...tenant, key }, { title: 'x', organization: lender() }, lead())
    expect(rows).toMatchObject([
      { action: 'error', error_code: 'insufficient_scope' },
      { action: 'created' },
    ])
  })

  it.each([
    ['a fault of form', [lead(), lead({ stage: 'open' })], ['body', 'items', 1, 'stage']],
    ['no items', [], ['body', 'items']],
    ['101 items', Array.from({ length: 101 }, () => lead()), ['body', 'items']],
    ['two locators', [lead({ organization_id: '00000000-0000-0000-0000-000000000000' })], ['body', 'items', 0]],
  ])('refuses the whole request for %s, and writes nothing', async (_name, items, loc) => {
    const { tenant } = await arrange()
    const answer = await post(tenant, { items }, '/leads/batch')
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
    expect(answer.body.detail[0].loc).toEqual(loc)
    expect(await countLeads(tenant)).toBe(0)
  })
})

describe('PATCH /leads/{id}', () => {
  it('changes what is sent and nothing else, and emits an event', async () => {
    const { tenant } = await arrange()
    const { body: before } = await post(tenant, lead({ amount_cents: 5, notes: 'a' }))
    const { status, body } = await patch(tenant, before.id, { stage: 'won', notes: null })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      stage: 'won',
      notes: null,
      action: 'updated',
      updated_at: expect.any(String),
    })
    expect((await events(tenant)).at(-1)).toMatchObject({ id: before.id, action: 'updated' })
  })

  it.each<[string, unknown, unknown[]]>([
    ['an empty body', {}, ['body']],
    ['another organization', { organization_external_reference: 'R-1' }, ['body', 'organization_external_reference']],
    ['another reference', { external_reference: 'L-2' }, ['body', 'external_reference']],
    ['no title', { title: null }, ['body', 'title']],
    ['no stage', { stage: null }, ['body', 'stage']],
  ])('refuses %s with 422', async (_name, body, loc) => {
    const { tenant } = await arrange()
    const { body: before } = await post(tenant, lead())
    const answer = await patch(tenant, before.id, body)
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
    expect(answer.body.detail[0].loc).toEqual(loc)
  })
})

describe('GET /leads', () => {
  it('lists the newest first, in pages, by stage and by organization', async () => {
    const { tenant, organizationId } = await arrange()
    const ids: string[] = []
    for (const stage of ['lead', 'won', 'lead', 'won', 'won']) {
      ids.unshift((await post(tenant, lead({ stage }))).body.id)
    }
    const other = await post(tenant, { title: 'x', organization: lender() })
    const list = async (query: string) => {
      const { body } = await get(tenant, `/leads?${query}`)
      return { ...body, items: body.items.map(({ id }: Fields) => id) }
    }
    expect(await list('')).toEqual({
      items: [other.body.id, ...ids],
      limit: 50,
      offset: 0,
      has_more: false,
    })
    expect(await list('limit=2&offset=1')).toEqual({
      items: ids.slice(0, 2),
      limit: 2,
      offset: 1,
      has_more: true,
    })
    expect((await list('stage=won')).items).toEqual([ids[0], ids[1], ids[3]])
    expect((await list(`organization_id=${other.body.organization_id}`)).items).toEqual([other.body.id])
    expect((await list(`organization_id=${organizationId}&stage=lead`)).items).toEqual([ids[2], ids[4]])
    expect((await list('offset=10000')).items).toEqual([])
  })

  it('finds a lead by its reference, and reads it by id', async () => {
    const { tenant } = await arrange()
    const { body } = await post(tenant, lead({ external_reference: 'L 1/ä' }))
    const { action: _action, ...record } = body
    const reference = encodeURIComponent('L 1/ä')
    expect((await get(tenant, `/leads/by-reference?external_reference=${reference}`)).body).toEqual(record)
    expect((await get(tenant, `/leads/${body.id}`)).body).toEqual(record)
  })

  it.each(['limit=0', 'limit=101', 'offset=-1', 'offset=10001', 'stage=open', 'organization_id=x', 'q=a'])(
    'refuses ?%s with 422',
    async (query) => {
      expect((await get(api.tenant, `/leads?${query}`)).status).toBe(422)
    },
  )
})

describe('in parallel', () => {
  it('many upserts of one reference create one lead', async () => {
    const { tenant } = await arrange()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        post(tenant, lead({ external_reference: 'L-1', title: `T${index}` })),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array(19).fill(200), 201])
    expect(await countLeads(tenant)).toBe(1)
  })

  it('batches with the same rows in any order all succeed', async () => {
    const tenant = await createTenant(api.db)
    const items = Array.from({ length: 20 }, (_, index) => ({
      external_reference: `L-${index}`,
      title: 'x',
      organization: lender({ name: `Bank ${index % 7}`, external_reference: `B-${index % 7}` }),
    }))
    const orders = [items, items.toReversed(), [...items.slice(10), ...items.slice(0, 10)]]
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) => batch(tenant, ...(orders[index % 3] ?? []))),
    )
    expect(results.flat().filter(({ action }) => action === 'error')).toEqual([])
    expect(results.flat().filter(({ action }) => action === 'created')).toHaveLength(20)
    expect(await events(tenant)).toHaveLength(2 * 12 * 20)
  })
})
