// What one query may take, and what others get meanwhile. Each hostile query is refused,
// or ended, within the two seconds that every test here allows.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { getIntrospectionQuery } from 'graphql'
import { type Ask, type TestGraphql, createAnalyst, createTestGraphql } from '../setup/analytics.ts'
import { type Tenant, type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'

let db: TestDatabase
let graphql: TestGraphql
let ours: Tenant
let token: string
let ask: Ask

const queryMs = 700

beforeAll(async () => {
  db = await createDatabase()
  ours = await createTenant(db)
  await db.owner.query(`insert into app.products (tenant_id, code, name) values ($1, 'URAR', 'Full')`, [ours.id])
  // One more county than a list may have groups.
  await db.owner.query(
    `insert into app.quotes (
      tenant_id, product_code, subject_line1, subject_state, subject_county, client_name, client_email
    )
    select $1, 'URAR', '1 Main St', 'CA', 'County ' || n, 'Jane', 'jane@example.com'
    from generate_series(1, 10001) as n`,
    [ours.id],
  )
  graphql = await createTestGraphql(db, { concurrency: 1, queryMs })
  token = await createAnalyst(db, [ours])
  ask = graphql.ask(token)
})
afterAll(async () => {
  await graphql.close()
  await db.close()
})

const repeat = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ')

const nested = (levels: number): string =>
  levels === 0 ? '{ code }' : `{ quotes(first: 1) { nodes { product ${nested(levels - 1)} } } }`

async function refused(query: string, variables?: unknown): Promise<unknown> {
  const { status, data, errors, headers } = await ask(query, { variables })
  expect(data).toBeUndefined()
  expect(status).toBe(400)
  const { code, request_id } = errors?.[0].extensions ?? {}
  if (request_id !== undefined) expect(request_id).toBe(headers.get('x-request-id'))
  return code ?? errors?.[0].message
}

describe('a hostile query is refused', () => {
  it('20 levels deep', async () => {
    expect(await refused(`{ products { nodes ${nested(6)} } }`)).toMatch(/depth/)
  }, 2000)

  it('with 500 aliases, at the top or further down', async () => {
    expect(await refused(`{ ${repeat(500, (n) => `a${n}: quotes { totalCount }`)} }`)).toBe('query_too_large')
    expect(
      await refused(`{ quotes { ${repeat(500, (n) => `a${n}: aggregates { count }`)} } }`),
    ).toBe('query_too_large')
  }, 2000)

  it('with more than 100 fields at the top, also through fragments', async () => {
    expect(await refused(`{ ${repeat(101, () => 'quotes { totalCount }')} }`)).toBe('query_too_large')
    const fragment = `fragment f on Query { ${repeat(60, () => 'quotes { totalCount }')} }`
    expect(await refused(`{ ...f ...f } ${fragment}`)).toBe('query_too_large')
  }, 2000)

  it('that grows by fragments of fragments, or never ends', async () => {
    const bomb = repeat(40, (n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`)
    expect(await refused(`{ ...f0 } ${bomb} fragment f40 on Query { quotes { totalCount } }`)).toBe('query_too_large')
    expect(await refused('{ ...f } fragment f on Query { ...f quotes { totalCount } }')).toMatch(/itself/)
  }, 2000)

  it('of thousands of words, or with a thousand fields to compare in pairs', async () => {
    expect(await refused(`{ quotes { ${repeat(6000, () => 'totalCount')} } }`)).toBe('query_too_large')
    const fields = repeat(1001, () => 'totalCount')
    expect(await refused(`{ quotes { ${fields} } }`)).toBe('query_too_large')
    const unused = `fragment unused on QuoteConnection { ${fields} }`
    expect(await refused(`{ quotes { totalCount } } ${unused}`)).toBe('query_too_large')
  }, 2000)

  it('whose pages multiply', async () => {
    expect(
      await refused('{ products(first: 1000) { nodes { quotes(first: 1000) { nodes { id } } } } }'),
    ).toBe('query_too_expensive')
    expect(
      await refused('{ quotes(first: 1000) { nodes { product { quotes { aggregates { count } } } } } }'),
    ).toBe('query_too_expensive')
    expect(
      await refused('query ($n: Int!) { products(first: $n) { nodes { fees(first: $n) { edges { cursor } } } } }', { n: 900 }),
    ).toBe('query_too_expensive')
  }, 2000)

  it('that asks for the whole schema again and again', async () => {
    expect(
      await refused(`{ ${repeat(3, (n) => `s${n}: __schema { types { name } }`)} }`),
    ).toBe('query_too_expensive')
  }, 2000)

  it('that filters by related rows', async () => {
    expect(await refused('{ quotes(filter: { product: { quotes: { some: {} } } }) { totalCount } }')).toMatch(/product/)
    expect(await refused('{ products(filter: { quotesExist: true }) { totalCount } }')).toMatch(/quotesExist/)
  }, 2000)

  it('with a filter of many comparisons, nested deep, or with a long list', async () => {
    const or = repeat(51, (n) => `{ city: { equalTo: "${n}" } }`)
    expect(await refused(`{ quotes(filter: { or: [${or}] }) { totalCount } }`)).toBe('query_too_expensive')
    const deep = 'not: {'.repeat(14) + 'city: { equalTo: "x" }' + '}'.repeat(14)
    expect(await refused(`{ quotes(filter: { ${deep} }) { totalCount } }`)).toBe('query_too_expensive')
    const query = 'query ($f: QuoteFilter!) { quotes(filter: $f) { totalCount } }'
    expect(await refused(query, { f: { city: { in: Array.from({ length: 1001 }, String) } } })).toBe('query_too_expensive')
    const nest = (levels: number): unknown => (levels ? { not: nest(levels - 1) } : { city: { equalTo: 'x' } })
    expect(await refused(query, { f: nest(30) })).toBe('query_too_large')
  }, 2000)
})

describe('a page', () => {
  it('has 100 rows unless told, and up to 1,000', async () => {
    const { data } = await ask('{ few: quotes { nodes { id } } most: quotes(first: 1000) { nodes { id } } }')
    expect([data.few.nodes.length, data.most.nodes.length]).toEqual([100, 1000])
  })

  it('can NOT be larger, or without an end', async () => {
    expect(await refused('{ quotes(first: 1001) { nodes { id } } }')).toBe('page_too_large')
    expect(await refused('{ quotes(first: -1) { nodes { id } } }')).toBe('page_too_large')
    expect(await refused('query ($n: Int! = 5000) { quotes(first: $n) { nodes { id } } }')).toBe('page_too_large')
    expect(await refused('{ quotes(first: null) { nodes { id } } }')).toMatch(/null/)
    const { errors } = await ask('query ($n: Int = 5) { quotes(first: $n) { nodes { id } } }', { variables: { n: null } })
    expect(errors?.length).toBe(1)
    expect(await refused('{ quotes(last: 5) { nodes { id } } }')).toMatch(/last/)
  })

  it('goes on after its last row', async () => {
    const page = async (after: string | null) =>
      (
        await ask('query ($after: Cursor) { quotes(first: 7, after: $after) { nodes { id } pageInfo { endCursor } } }', {
          variables: { after },
        })
      ).data.quotes
    const first = await page(null)
    const second = await page(first.pageInfo.endCursor)
    const both: string[] = [...first.nodes, ...second.nodes].map((row: any) => row.id)
    expect(new Set(both).size).toBe(14)
    expect(both).toEqual([...both].sort())
  })
})

describe('a query that is allowed', () => {
  it('may introspect as clients do', async () => {
    const { data } = await ask(
      getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true, schemaDescription: true, oneOf: true }),
    )
    expect(data.__schema.queryType.name).toBe('Query')
  })

  it('has up to 100 fields at the top', async () => {
    const { data } = await ask(`{ ${repeat(100, (n) => `a${n}: product(tenantId: "${ours.id}", code: "URAR") { code }`)} }`)
    expect(Object.keys(data).length).toBe(100)
  })

  it('answers with up to 10,000 groups, in the order of their keys', async () => {
    const few = '{ quotes(filter: { county: { lessThan: "County 2" } }) { groupedAggregates(groupBy: [COUNTY]) { keys count } } }'
    const { data } = await ask(few)
    const keys: string[] = data.quotes.groupedAggregates.map((group: any) => group.keys[0])
    expect(keys.length).toBeGreaterThan(1000)
    expect(keys).toEqual([...keys].sort())
    expect(await refused('{ quotes { groupedAggregates(groupBy: [COUNTY]) { keys } } }')).toBe('too_many_groups')
  })
})

/** Holds what every query needs while work runs. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const client = await db.owner.connect()
  try {
    await client.query('begin; lock table app.quotes in access exclusive mode')
    return await work()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

async function untilWaiting(): Promise<void> {
  for (;;) {
    const { rows } = await db.owner.query(
      `select from pg_stat_activity
      where datname = current_database() and usename = 'svc_analyst' and wait_event_type = 'Lock'`,
    )
    if (rows.length > 0) return
  }
}

const waiting = '{ quotes { totalCount } }'

describe('a query that takes too long', () => {
  it('is ended, with what it is and the id of the request', async () => {
    const { status, errors, headers } = await whileLocked(() => ask(waiting))
    expect(status).toBe(200)
    expect(errors?.[0].extensions).toEqual({ code: 'query_timeout', request_id: headers.get('x-request-id') })
  })

  it('has one time for all of its statements', async () => {
    const started = performance.now()
    await whileLocked(() => ask(`{ ${repeat(20, (n) => `a${n}: quotes(first: ${n}) { nodes { id } }`)} }`))
    // Each with a time of its own would take twenty times as long.
    expect(performance.now() - started).toBeLessThan(queryMs * 10)
  })
})

describe('queries at once', () => {
  it('wait for their turn, and are told to come back when too many wait', async () => {
    const answers = await whileLocked(async () => {
      const first = ask(waiting)
      await untilWaiting()
      const others = Array.from({ length: 20 }, () => ask(waiting))
      const refusals = await Promise.all(
        [...others].map((other) => Promise.race([other, first.then(() => null)])),
      )
      return { refusals: refusals.filter((answer) => answer !== null), all: [first, ...others] }
    })
    const statuses = (await Promise.all(answers.all)).map((answer) => answer.status)
    expect(statuses.filter((status) => status === 503).length).toBe(4)
    expect(statuses.filter((status) => status === 200).length).toBe(17)
    const [refusal] = answers.refusals
    expect(refusal?.headers.get('retry-after')).toBe('2')
    expect(JSON.parse(refusal?.text ?? '')).toMatchObject({ code: 'service_unavailable' })
  })
})

describe('a fault on our side', () => {
  it('is masked, and found by the id of the request', async () => {
    await db.owner.query('revoke select on analytics.fees from svc_analyst')
    const { status, text, errors, headers } = await ask('{ fees { nodes { id } } }')
    await db.owner.query('grant select on analytics.fees to svc_analyst')
    expect(status).toBe(200)
    expect(errors?.[0].extensions).toEqual({ code: 'internal_error', request_id: headers.get('x-request-id') })
    expect(text).not.toMatch(/permission|select|analytics\./)
  })

  it('passes when the connection comes back', async () => {
    const { errors } = await whileLocked(async () => {
      const answer = ask(waiting)
      await untilWaiting()
      await db.owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'svc_analyst'`,
      )
      return answer
    })
    expect(errors?.[0].extensions.code).toBe('service_unavailable')
    expect((await ask(waiting)).data.quotes.totalCount).toBe(10001)
  })

  it('names a value that the database can\'t read, without its words', async () => {
    const { errors } = await ask('{ quotes(filter: { createdAt: { lessThan: "not a time" } }) { totalCount } }')
    expect(errors?.[0].extensions.code).toBe('invalid_value')
  })
})
