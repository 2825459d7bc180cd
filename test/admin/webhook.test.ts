import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Worker } from '../../worker/main.ts'
import { type TestAdmin, createAdmin } from '../setup/admin.ts'
import { type Tenant, createTenant } from '../setup/database.ts'
import { type Receiver, createReceiver, status, verify } from '../setup/receiver.ts'
import { announce, deliveriesOf, emit, expectSoon, startTestWorker } from '../setup/webhooks.ts'

let admin: TestAdmin
let worker: Worker
let tenant: Tenant
let partner: Receiver

beforeAll(async () => {
  admin = await createAdmin()
  admin.set('WEBHOOK_ALLOWED_CIDRS', '127.0.0.0/8')
  worker = await startTestWorker(admin.db)
})
beforeEach(async () => {
  tenant = await createTenant(admin.db)
  partner = await createReceiver()
})
afterEach(() => partner.close())
afterAll(async () => {
  await worker?.stop()
  await admin?.close()
})

const create = (url = partner.url, events = 'all') =>
  admin.json('webhook', 'create', '--tenant', tenant.slug, '--url', url, '--events', events)

const deliveries = (id: string, ...more: string[]) => admin.json('webhook', 'deliveries', id, ...more)

const settled = (endpoint: { id: string }, wanted: string, count = 1) =>
  expectSoon(
    async () =>
      (await deliveriesOf(admin.db, endpoint)).filter((row) => row.status === wanted).length,
    count,
  )

describe('webhook create', () => {
  it('prints the secret once, and stores it sealed', async () => {
    const created = await create()
    expect(created).toEqual({
      id: expect.any(String),
      url: partner.url,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      events: ['quote.created', 'organization.upserted', 'lead.upserted'],
    })
    for (const command of [['list'], ['show', created.id], ['deliveries', created.id]]) {
      const { stdout } = await admin.run(['webhook', ...command, '--json'])
      expect(stdout).not.toContain(created.secret.slice(6))
    }
    const { rows } = await admin.db.owner.query<{ secret: Buffer }>(
      'select secret from outbox.endpoints where id = $1',
      [created.id],
    )
    const bytes = Buffer.from(created.secret.slice(6), 'base64')
    expect(bytes).toHaveLength(32)
    expect(rows[0]?.secret.includes(bytes)).toBe(false)
    expect(rows[0]?.secret.includes(created.secret)).toBe(false)
  })

  it('registers what then receives', async () => {
    const created = await create(partner.url, 'lead.upserted, quote.created')
    expect(created.events).toEqual(['quote.created', 'lead.upserted'])
    await announce(admin.db, tenant, ['quote.created', 'organization.upserted', 'lead.upserted'])
    const requests = await partner.until((all) => all.length === 2)
    expect(requests.map((request) => verify(request, created.secret).type).toSorted()).toEqual([
      'lead.upserted',
      'quote.created',
    ])
  })

  it.each([
    'http://10.0.0.1/hook',
    'http://0xa.1/hook',
    'http://[::1]/hook',
    'http://169.254.169.254/latest/meta-data',
    'https://user:secret@partner.example/hook',
    'ftp://partner.example/hook',
    'partner.example/hook',
  ])('can NOT take %s', async (url) => {
    const error = await admin.error(
      'webhook', 'create', '--tenant', tenant.slug, '--url', url, '--events', 'all',
    )
    expect(error.code).toBe('url_refused')
    expect(await admin.json('webhook', 'list', '--tenant', tenant.slug)).toEqual([])
  })

  it('can NOT take http in production', async () => {
    const args = ['webhook', 'create', '--tenant', tenant.slug, '--events', 'all', '--json', '--url']
    const env = { SVC_ENVIRONMENT: 'production' }
    const http = await admin.run([...args, 'http://127.0.0.1/hook'], { env })
    expect(JSON.parse(http.stderr).error.code).toBe('url_refused')
    const https = await admin.run([...args, 'https://127.0.0.1/hook'], { env })
    expect(https.code).toBe(0)
  })

  it('can NOT take an event or a tenant that there is not', async () => {
    const args = ['webhook', 'create', '--url', 'https://partner.example/hook']
    const event = await admin.error(...args, '--tenant', tenant.slug, '--events', 'quote.deleted')
    expect(event.code).toBe('usage')
    const nobody = await admin.error(...args, '--tenant', 'nobody', '--events', 'all')
    expect(nobody.code).toBe('not_found')
  })
})

describe('webhook list and show', () => {
  it('show the endpoints of a tenant and how they fare', async () => {
    const created = await create()
    await announce(admin.db, tenant)
    await settled(created, 'delivered')
    const shown = {
      id: created.id,
      tenant: tenant.slug,
      url: partner.url,
      events: created.events,
      status: 'enabled',
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      created_at: expect.any(String),
    }
    expect(await admin.json('webhook', 'list', '--tenant', tenant.slug)).toEqual([shown])
    expect(await admin.json('webhook', 'show', created.id)).toEqual({
      ...shown,
      deliveries: { pending: 0, delivered: 1, failed: 0, skipped: 0 },
    })
  })

  it('tell why an endpoint is disabled', async () => {
    const created = await create()
    partner.answer(status(410))
    await announce(admin.db, tenant)
    await settled(created, 'failed')
    expect(await admin.json('webhook', 'show', created.id)).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone',
      disabled_at: expect.any(String),
    })
  })

  it('know nothing of an endpoint of another tenant', async () => {
    const created = await create()
    const other = await createTenant(admin.db)
    for (const command of ['show', 'rotate', 'disable', 'enable', 'test', 'deliveries']) {
      const error = await admin.error('webhook', command, created.id, '--tenant', other.slug)
      expect(error.code).toBe('not_found')
    }
  })
})

describe('webhook rotate', () => {
  it('gives a new secret, beside which the old one signs for a day', async () => {
    const created = await create()
    const rotated = await admin.json('webhook', 'rotate', created.id)
    expect(rotated).toEqual({ id: created.id, secret: expect.stringMatching(/^whsec_/) })
    expect(rotated.secret).not.toBe(created.secret)
    await announce(admin.db, tenant)
    const [request] = await partner.until((all) => all.length === 1)
    verify(request!, rotated.secret)
    verify(request!, created.secret)
    const { rows } = await admin.db.owner.query(
      `select previous_secret_expires_at - now() between interval '23:59' and interval '24:01' as is_a_day
      from outbox.endpoints where id = $1`,
      [created.id],
    )
    expect(rows).toEqual([{ is_a_day: true }])
  })
})

describe('webhook disable and enable', () => {
  it('skip what comes between, until it is replayed', async () => {
    const created = await create()
    expect(await admin.json('webhook', 'disable', created.id)).toMatchObject({
      status: 'disabled',
      disabled_reason: 'operator',
    })
    await announce(admin.db, tenant)
    await settled(created, 'skipped')
    const refused = await admin.error('webhook', 'replay', '--endpoint', created.id, '--since', '1h')
    expect(refused.code).toBe('webhook_disabled')

    expect(await admin.json('webhook', 'enable', created.id)).toMatchObject({ status: 'enabled' })
    await announce(admin.db, tenant)
    await settled(created, 'delivered')
    expect(partner.requests).toHaveLength(1)

    const replayed = await admin.json('webhook', 'replay', '--endpoint', created.id, '--since', '1h')
    expect(replayed).toEqual({ replayed: 1 })
    await settled(created, 'delivered', 2)
  })
})

describe('webhook test', () => {
  it('sends an event of its own, which deliveries show', async () => {
    const created = await create()
    const sent = await admin.json('webhook', 'test', created.id)
    expect(sent).toMatchObject({ event: 'webhook.test', status: 'pending', attempts: 0 })
    const [request] = await partner.until((all) => all.length === 1)
    expect(request!.headers['webhook-id']).toBe(sent.webhook_id)
    expect(verify(request!, created.secret).type).toBe('webhook.test')
    await settled(created, 'delivered')
    expect(await deliveries(created.id)).toMatchObject([{ id: sent.id, status: 'delivered', attempts: 1 }])
  })
})

describe('webhook deliveries', () => {
  it('prints a row for each, the newest first', async () => {
    const created = await create()
    await announce(admin.db, tenant)
    await settled(created, 'delivered')
    // The next attempt is far off, however slowly these commands run.
    partner.answer(status(503, { 'Retry-After': '3600' }))
    await announce(admin.db, tenant, ['lead.upserted'])
    await settled(created, 'pending')
    await expectSoon(async () => (await deliveriesOf(admin.db, created))[1]?.attempts, 1)

    const rows = await deliveries(created.id)
    const [first] = await partner.until((all) => all.length === 2)
    expect(rows).toEqual([
      {
        id: expect.any(String),
        webhook_id: expect.any(String),
        event: 'lead.upserted',
        record_id: expect.any(String),
        status: 'pending',
        attempts: 1,
        response_status: 503,
        next_attempt_at: expect.any(String),
        created_at: expect.any(String),
      },
      {
        id: expect.any(String),
        webhook_id: first!.headers['webhook-id'],
        event: 'quote.created',
        record_id: verify(first!, created.secret).data['id'],
        status: 'delivered',
        attempts: 1,
        response_status: 204,
        next_attempt_at: null,
        created_at: expect.any(String),
      },
    ])
    expect(await deliveries(created.id, '--status', 'delivered')).toEqual([rows[1]])
    expect(await deliveries(created.id, '--limit', '1')).toEqual([rows[0]])
    expect(await deliveries(created.id, '--since', rows[0].created_at)).toEqual([rows[0]])
    expect(await deliveries(created.id, '--since', '1h')).toHaveLength(2)
    expect(await deliveries(created.id, '--since', '2100-01-01')).toEqual([])
    expect(await admin.json('webhook', 'attempts', rows[0].id)).toMatchObject([
      { number: 1, response_status: 503, error_class: 'status' },
    ])
  })

  it.each([
    ['--status', 'lost'],
    ['--since', 'yesterday'],
    ['--limit', '0'],
  ])('can NOT filter by %s %s', async (option, value) => {
    const created = await create()
    expect((await admin.error('webhook', 'deliveries', created.id, option, value)).code).toBe('usage')
  })
})

describe('webhook replay', () => {
  it('sends one delivery again, with its webhook-id and the secret of today', async () => {
    const created = await create()
    await announce(admin.db, tenant)
    await settled(created, 'delivered')
    const rotated = await admin.json('webhook', 'rotate', created.id, '--overlap', '0s')
    const [row] = await deliveries(created.id)
    expect(await admin.json('webhook', 'replay', row.id)).toEqual({ replayed: 1 })
    const [first, again] = await partner.until((all) => all.length === 2)
    expect(again!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(again!.body).toBe(first!.body)
    verify(again!, rotated.secret)
    await expectSoon(async () => (await deliveriesOf(admin.db, created))[0]?.attempts, 2)
  })

  it('sends what failed in a span of time, and nothing outside it', async () => {
    const created = await create()
    const batch = await emit(admin.db, tenant, Array<string>(6).fill('quote.created'))
    await admin.db.as('worker').query(`select outbox.fan_out('nobody', array[$1::uuid])`, [batch])
    await admin.db.owner.query(
      `update outbox.deliveries
      set
        status = (array['failed', 'failed', 'skipped', 'delivered', 'failed', 'failed'])[place],
        next_attempt_at = null,
        created_at = now() - place * interval '1 hour'
      from (
        select id, row_number() over (order by id) as place
        from outbox.deliveries where endpoint_id = $1
      ) as placed
      where deliveries.id = placed.id`,
      [created.id],
    )
    const replayed = await admin.json(
      'webhook', 'replay', '--endpoint', created.id, '--since', '270m', '--until', '90m',
    )
    expect(replayed).toEqual({ replayed: 2 })
    await settled(created, 'delivered', 3)
    expect((await deliveriesOf(admin.db, created)).map((row) => row.status)).toEqual([
      'failed', 'delivered', 'delivered', 'delivered', 'failed', 'failed',
    ])
    expect(partner.requests).toHaveLength(2)
  })

  it.each([
    [[]],
    [['--since', '1h']],
    [['--endpoint', '01993c4e-3f0a-7c63-9d3c-0a4d1b7be111']],
    [['01993c4e-3f0a-7c63-9d3c-0a4d1b7be111', '--endpoint', '01993c4e-3f0a-7c63-9d3c-0a4d1b7be111']],
    [['not-an-id']],
  ])('can NOT make sense of %j', async (args) => {
    expect((await admin.error('webhook', 'replay', ...args)).code).toBe('usage')
  })

  it('can NOT find what there is not', async () => {
    const error = await admin.error('webhook', 'replay', '01993c4e-3f0a-7c63-9d3c-0a4d1b7be111')
    expect(error.code).toBe('not_found')
  })
})
