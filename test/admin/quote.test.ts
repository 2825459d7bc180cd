import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestAdmin, createAdmin } from '../setup/admin.ts'
import { type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProducts, quoteRequest } from '../setup/catalogue.ts'
import { createTenant } from '../setup/database.ts'

let admin: TestAdmin
let api: TestApi
beforeAll(async () => {
  admin = await createAdmin()
  api = await createApi({ db: admin.db })
  await createProducts(admin.db, api.tenant)
})
afterAll(async () => {
  await api.close()
  await admin.close()
})

async function createQuote(parts: Record<string, unknown> = {}): Promise<string> {
  const { body } = await api.send('POST', '/quotes', {
    headers: freshKey(),
    body: quoteRequest(parts),
  })
  return body.id
}

const statusOf = async (id: string): Promise<unknown> =>
  (await api.send('GET', `/quotes/${id}`)).body

describe('quote show', () => {
  it('prints the whole quote without being told its tenant', async () => {
    const id = await createQuote({
      external_reference: 'LOS-1',
      client: { name: 'Jane Doe', email: 'jane@example.com', phone: '626-555-0123' },
      borrower: { name: 'Sam Roe' },
      notes: 'Gate code 1234.',
      metadata: { officer: 'P. Smith' },
    })
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(await admin.json('quote', 'show', id)).toEqual({
      id,
      tenant: api.tenant.slug,
      status: 'open',
      external_reference: 'LOS-1',
      product_code: 'URAR',
      fee: null,
      turnaround_days: null,
      source: 'api',
      schema_version: 1,
      subject: {
        line1: '12 Main St',
        line2: null,
        city: 'Pasadena',
        state: 'CA',
        county: 'Los Angeles',
        postal_code: null,
      },
      client: { name: 'Jane Doe', email: 'jane@example.com', phone: '(626) 555-0123' },
      borrower: { name: 'Sam Roe', email: null, phone: null },
      notes: 'Gate code 1234.',
      metadata: { officer: 'P. Smith' },
      created_at: time,
      updated_at: time,
      status_changed_at: time,
      status_history: [
        { from_status: null, to_status: 'open', changed_by: 'svc_api', changed_at: time },
      ],
      documents: [],
    })
  })

  it('can NOT show an unknown quote, or one of another tenant than the one named', async () => {
    const other = await createTenant(admin.db)
    const id = await createQuote()
    expect(await admin.error('quote', 'show', other.id)).toMatchObject({ code: 'not_found' })
    expect(await admin.error('quote', 'show', id, '--tenant', other.slug)).toMatchObject({
      code: 'not_found',
    })
  })
})

describe('quote list', () => {
  it('lists the newest first, by tenant and status', async () => {
    const [first, second] = [await createQuote(), await createQuote()]
    await admin.json('quote', 'expire', first)
    const list = (...args: string[]) => admin.json('quote', 'list', '--tenant', api.tenant.slug, ...args)
    const [all, expired, newest] = await Promise.all([
      list(),
      list('--status', 'expired'),
      admin.json('quote', 'list', '--limit', '1'),
    ])
    const ids = (quotes: { id: string }[]) => quotes.map(({ id }) => id)
    expect(ids(all).slice(0, 2)).toEqual([second, first])
    expect(ids(expired)).toEqual([first])
    expect(newest).toMatchObject([{ id: second, tenant: api.tenant.slug, status: 'open' }])
    expect(await admin.error('quote', 'list', '--status', 'lost')).toMatchObject({ code: 'usage' })
  })
})

describe('quote send, accept, decline and expire', () => {
  it('send a quote with its fee, which the API then shows, and keep the history', async () => {
    const id = await createQuote()
    const sent = await admin.json('quote', 'send', id, '--fee', '450', '--turnaround-days', '5')
    expect(sent).toMatchObject({ id, status: 'sent', fee: '450.00', turnaround_days: 5 })
    expect(await statusOf(id)).toMatchObject({ status: 'sent', fee: '450.00', turnaround_days: 5 })

    const accepted = await admin.json('quote', 'accept', id)
    expect(accepted.status_history).toMatchObject([
      { from_status: null, to_status: 'open', changed_by: 'svc_api' },
      { from_status: 'open', to_status: 'sent', changed_by: 'svc_office' },
      { from_status: 'sent', to_status: 'accepted', changed_by: 'svc_office' },
    ])
    expect(await statusOf(id)).toMatchObject({ status: 'accepted', fee: '450.00' })
  })

  it('take --turnaround for short, and no turnaround at all', async () => {
    const [one, two] = [await createQuote(), await createQuote()]
    expect(await admin.json('quote', 'send', one, '--fee', '1.5', '--turnaround', '3')).toMatchObject({
      fee: '1.50',
      turnaround_days: 3,
    })
    expect(await admin.json('quote', 'send', two, '--fee', '0')).toMatchObject({
      fee: '0.00',
      turnaround_days: null,
    })
  })

  it.each([
    ['no fee', []],
    ['three decimals', ['--fee', '450.005']],
    ['a negative fee', ['--fee', '-1']],
    ['days in words', ['--fee', '1', '--turnaround-days', 'five']],
  ])('can NOT send with %s', async (_what, more) => {
    const id = await createQuote()
    expect(await admin.error('quote', 'send', id, ...more)).toMatchObject({ code: 'usage' })
    expect(await statusOf(id)).toMatchObject({ status: 'open', fee: null })
  })
})

// The rule itself: every status × every move, at the functions that the commands call.
describe('a quote', () => {
  const moves = ['sent', 'accepted', 'declined', 'expired'] as const
  const ways: Record<string, string[]> = {
    open: [],
    sent: ['sent'],
    accepted: ['sent', 'accepted'],
    declined: ['sent', 'declined'],
    expired: ['expired'],
  }
  const allowed = ['open sent', 'open expired', 'sent accepted', 'sent declined', 'sent expired']

  async function move(id: string, status: string): Promise<string> {
    const client = await admin.db.as('office').connect()
    try {
      await client.query('begin')
      await client.query('select office.enter($1)', [api.tenant.id])
      await (status === 'sent'
        ? client.query('select office.send_quote($1, 450)', [id])
        : client.query('select office.move_quote($1, $2)', [id, status]))
      await client.query('commit')
      return status
    } catch (error) {
      await client.query('rollback')
      const { code, constraint } = error as { code: string; constraint: string }
      return `${code} ${constraint}`
    } finally {
      client.release()
    }
  }

  const pairs = Object.keys(ways).flatMap((from) => moves.map((to) => [from, to] as const))

  it.each(pairs)('that is %s goes to %s only where that is allowed', async (from, to) => {
    const id = await createQuote()
    for (const step of ways[from] ?? []) await move(id, step)
    const isAllowed = allowed.includes(`${from} ${to}`)
    expect(await move(id, to)).toBe(isAllowed ? to : 'PT409 invalid_transition')
    expect(await statusOf(id)).toMatchObject({ status: isAllowed ? to : from })
  })

  it('is sent once when two send it at the same time', async () => {
    const id = await createQuote()
    const outcomes = await Promise.all([move(id, 'sent'), move(id, 'sent'), move(id, 'sent')])
    expect(outcomes.toSorted()).toEqual([
      'PT409 invalid_transition',
      'PT409 invalid_transition',
      'sent',
    ])
  })

  it('is unknown to the office of another tenant', async () => {
    const other = await createTenant(admin.db)
    expect(await move(other.id, 'sent')).toBe('PT404 not_found')
  })

  it('that can NOT move makes the command say so in one line, with exit 1', async () => {
    const id = await createQuote()
    const { code, stdout, stderr } = await admin.run(['quote', 'accept', id])
    expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({
      code: 1,
      stdout: '',
      lines: 1,
    })
    expect(await admin.error('quote', 'accept', id)).toMatchObject({ code: 'invalid_transition' })
  })
})
