// The audit finds what keeps tenants from being apart, and nothing on a sound database.
// Each fault of audit.cases.ts is made, found and taken back.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import {
  type Discovery,
  discover,
  generatedParts,
  isolationPage,
  withParts,
} from '../../db/audit_page.ts'
import { readChecks } from '../../db/checks.ts'
import { loginRoles } from '../../src/database/credentials.ts'
import { type Tenant, type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'
import { fillEveryTable } from '../setup/every_table.ts'
import { faults, lints } from './audit.cases.ts'

type Attempt = { role: string; object: string; command: string; outcome: string; detail: string }

let db: TestDatabase
let client: pg.Client

beforeAll(async () => {
  db = await createDatabase()
  client = new pg.Client({ connectionString: db.urls.owner })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await db.close()
})

/** Runs work in a transaction of the administrator's that is rolled back. */
async function undone<T>(work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    return await work()
  } finally {
    await client.query('rollback')
  }
}

const findings = async () => (await client.query('select * from audit.findings')).rows

const prove = async (...tenants: Tenant[]): Promise<Attempt[]> => {
  const { rows } = await client.query<Attempt>('select * from audit.prove_isolation($1, $2)', [
    tenants[0]?.id ?? null,
    tenants[1]?.id ?? null,
  ])
  return rows
}

const notRefused = (attempts: Attempt[]): Attempt[] =>
  attempts.filter(({ outcome }) => outcome !== 'refused' && outcome !== 'by design')

/** Rows in all tables, to see that nothing stays. */
async function countEverything(): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; rows: number }>(`
    select
      format('%I.%I', schemaname, tablename) as name,
      (xpath('/row/c/text()', query_to_xml(
        format('select count(*) as c from %I.%I', schemaname, tablename), false, true, ''
      )))[1]::text::integer as rows
    from pg_tables
    where schemaname !~ '^(pg_|information_schema)'`)
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]))
}

describe('a sound database', () => {
  it('has no finding', async () => {
    expect(await findings()).toEqual([])
  })

  it('has none whatever is on the search path', async () => {
    await undone(async () => {
      await client.query('set local search_path = app, auth, outbox, audit, office')
      expect((await client.query('select * from audit.findings')).rows).toEqual([])
    })
  })

  it('refuses every attempt but those that are entrusted', async () => {
    const attempts = await prove()
    expect(notRefused(attempts)).toEqual([])
    const { rows: entrusted } = await client.query<{ role: string; relation: string }>(
      'select role, relation from audit.entrusted()',
    )
    const byDesign = attempts.filter(({ outcome }) => outcome === 'by design')
    const isKnown = ({ role, object, command }: Attempt): boolean =>
      entrusted.some((trust) => trust.role === role && (trust.relation === object || command === 'call'))
    expect(byDesign.length).toBeGreaterThan(0)
    expect(byDesign.filter((attempt) => !isKnown(attempt))).toEqual([])
  })

  it('is attacked in every table with tenants by every login, with every command', async () => {
    const attempts = await prove()
    const { rows: tables } = await client.query<{ name: string }>(`
      select format('%I.%I', table_schema, table_name) as name
      from information_schema.columns
      inner join information_schema.tables using (table_schema, table_name)
      where column_name = 'tenant_id' and table_type = 'BASE TABLE'`)
    expect(tables.length).toBeGreaterThan(15)
    const commands = ['select', 'select with forged settings', 'insert', 'update', 'delete', 'give away', 'truncate', 'reference', 'disable row security']
    const made = new Set(attempts.map((attempt) => `${attempt.role} ${attempt.object} ${attempt.command}`))
    for (const role of loginRoles) {
      for (const { name } of [...tables, { name: 'app.tenants' }]) {
        for (const command of commands) expect(made).toContain(`${role} ${name} ${command}`)
      }
    }
  })

  it('is the same after the proof as before', async () => {
    const before = await countEverything()
    await prove()
    expect(await countEverything()).toEqual(before)
  })
})

describe('the proof', () => {
  it('lets its attackers see their own rows, so that seeing no others means something', async () => {
    const own: [role: string, statement: string][] = [
      ['svc_api', 'select count(*) from app.quotes'],
      ['svc_office', 'select count(*) from app.quotes'],
      ['svc_analyst', 'select count(*) from analytics.quotes'],
      ['svc_office', 'select count(*) from audit.changes'],
    ]
    await undone(async () => {
      const { rows } = await client.query<{ scene: { attacker: string } }>(
        'select audit.set_scene(null, null) as scene',
      )
      for (const [role, statement] of own) {
        const { rows: tried } = await client.query<{ state: string; value: string }>(
          `select tried.* from audit.try_as(
            row($1, $1)::audit.persona, audit.proof_settings($2), $3) as tried`,
          [role, rows[0]?.scene.attacker, statement],
        )
        expect({ role, ...tried[0] }).toMatchObject({ role, state: '00000' })
        expect({ role, rows: Number(tried[0]?.value) > 0 }).toEqual({ role, rows: true })
      }
    })
  })

  it('attacks between two tenants that have rows, and changes none', async () => {
    const [ours, theirs] = [await createTenant(db), await createTenant(db)]
    await fillEveryTable(db, ours)
    await fillEveryTable(db, theirs)
    const before = await countEverything()
    expect(notRefused(await prove(ours, theirs))).toEqual([])
    expect(await countEverything()).toEqual(before)
  })

  it('attacks a table that it has never heard of', async () => {
    await undone(async () => {
      await client.query(`
        create type app.colour as enum ('red', 'green');
        create domain app.score as integer check (value > 10);
        create table app.surveys (
          tenant_id uuid not null references app.tenants (id),
          id uuid not null default uuidv7(),
          quote_id uuid not null,
          code text not null check (code ~ '^[A-Z]{3}-[0-9]{2,4}$'),
          colour app.colour not null,
          score app.score not null,
          rate numeric not null check (rate between 3 and 5),
          kind text not null check (kind in ('phone', 'visit')),
          phone text,
          digest bytea not null check (octet_length(digest) = 32),
          tags text[] not null check (cardinality(tags) > 0),
          answers jsonb not null check (jsonb_typeof(answers) = 'array'),
          held_on date not null,
          valid tstzrange not null,
          doubled integer generated always as (score * 2) stored,
          primary key (tenant_id, id),
          unique (tenant_id, code),
          check (kind <> 'phone' or phone is not null),
          foreign key (tenant_id, quote_id) references app.quotes (tenant_id, id)
        );
        alter table app.surveys enable row level security;
        alter table app.surveys force row level security;
        create policy all_api on app.surveys to svc_api
        using (tenant_id = (select auth.tenant_id()));
        grant select, insert, update, delete on app.surveys to svc_api;`)
      const attempts = (await prove()).filter(({ object }) => object === 'app.surveys')
      expect(attempts.length).toBeGreaterThan(8 * loginRoles.length)
      expect(notRefused(attempts)).toEqual([])

      await client.query('alter policy all_api on app.surveys with check (true)')
      const leaks = notRefused(await prove()).map(({ role, object, command, outcome }) => [role, object, command, outcome])
      expect(leaks).toEqual([['svc_api', 'app.surveys', 'insert', 'LEAK']])
    })
  })

  it('says so where it can make no row to reach for', async () => {
    await undone(async () => {
      await client.query(`
        create table app.riddles (
          tenant_id uuid not null references app.tenants (id),
          answer text not null check (md5(answer) = 'no text has this'),
          primary key (tenant_id, answer)
        );
        alter table app.riddles enable row level security;
        alter table app.riddles force row level security;
        create policy all_api on app.riddles to svc_api
        using (tenant_id = (select auth.tenant_id()));
        grant select on app.riddles to svc_api;`)
      const outcomes = notRefused(await prove()).map(({ role, object, command, outcome }) => [role, object, command, outcome])
      expect(outcomes).toEqual([
        ['svc_api', 'app.riddles', 'select', 'untested'],
        ['svc_api', 'app.riddles', 'select with forged settings', 'untested'],
      ])
    })
  })
})

describe('rows that are made from patterns', () => {
  it.each([
    '^https?://',
    '^svc_analyst_[0-9A-Za-z]{4}$',
    '^\\([2-9][0-9]{2}\\) [2-9][0-9]{2}-[0-9]{4}$',
    '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
    '^(ab|cd)+$',
    '^[A-Z]{3}-\\d{2,4}(-x)?$',
    '^[^x]y$',
    '^[\\w.+-]+@[\\w-]+\\.[a-z]{2,}$',
    '^(?:v\\d+\\.){2}.{3}$',
  ])('match %s, and differ', async (pattern) => {
    const { rows } = await client.query<{ samples: string[]; match: boolean }>(
      `select array_agg(sample) as samples, bool_and(sample ~ $1) as match
      from generate_series(1, 9) as salt
      cross join lateral audit.sample_of_pattern($1, 'salt ' || salt) as sample`,
      [pattern],
    )
    expect(rows[0]).toMatchObject({ match: true })
    if (pattern.includes('[0-9')) expect(new Set(rows[0]?.samples).size).toBeGreaterThan(1)
  })
})

describe('a person who is an auditor by membership', () => {
  it('can read findings, and is none', async () => {
    await undone(async () => {
      await client.query('create role planted_dana login; grant svc_auditor to planted_dana')
      await client.query('set local session authorization planted_dana')
      expect(await findings()).toEqual([])
    })
  })
})

describe('svc_auditor', () => {
  it('can read findings, each check and the history', async () => {
    const auditor = db.as('auditor')
    for (const name of ['findings', 'changes', ...readChecks().map((check) => check.name)]) {
      await auditor.query(`select * from audit.${name}`)
    }
  })

  it('can NOT read anything of the business, or run the proof', async () => {
    for (const statement of [
      'select from app.tenants',
      'select from auth.api_keys',
      'select from outbox.events',
      'select from analytics.quotes',
      'select audit.prove_isolation()',
    ]) {
      await expect(db.as('auditor').query(statement)).rejects.toMatchObject({ code: '42501' })
    }
  })
})

describe('other logins', () => {
  it.each(['api', 'worker', 'office', 'analyst'] as const)('svc_%s can NOT read findings', async (role) => {
    await expect(db.as(role).query('select from audit.findings')).rejects.toMatchObject({ code: '42501' })
  })
})

describe('an administrator who is no superuser', () => {
  async function nameAdministrators(names: string): Promise<void> {
    const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name')
    await client.query(`alter database ${rows[0]?.name} set audit.administrators = '${names}'`)
  }

  it('can run the proof as a member of every login, past row-level security', async () => {
    await undone(async () => {
      await client.query(`
        create role planted_cloud_admin login bypassrls createrole;
        grant svc_owner to planted_cloud_admin;
        grant ${loginRoles.join(', ')} to planted_cloud_admin with inherit false, set true;
        grant execute on all functions in schema audit to planted_cloud_admin`)
      await nameAdministrators('planted_cloud_admin')
      await client.query('set local session authorization planted_cloud_admin')
      const attempts = await prove()
      expect(attempts.length).toBeGreaterThan(500)
      expect(notRefused(attempts)).toEqual([])
    })
  })

  it('can NOT without those', async () => {
    await undone(async () => {
      await client.query(`
        create role planted_half_admin login createrole;
        grant usage on schema audit to planted_half_admin;
        grant execute on all functions in schema audit to planted_half_admin;
        set local session authorization planted_half_admin;`)
      await expect(prove()).rejects.toMatchObject({ code: '42501' })
    })
  })

  it('is reported, unless the database\'s owner names it an administrator', async () => {
    await undone(async () => {
      await client.query('create role planted_cloud_admin login bypassrls')
      expect(await findings()).toMatchObject([{ check: 'role_too_powerful', object: 'planted_cloud_admin' }])
      await nameAdministrators('somebody, planted_cloud_admin')
      expect(await findings()).toEqual([])
    })
  })
})

describe('a planted fault', () => {
  const discoveries: Discovery[] = []
  let untouched: TestDatabase

  // Without any tenant's rows, as the page was made.
  beforeAll(async () => {
    untouched = await createDatabase()
  })
  afterAll(() => untouched.close())

  it.each(faults)('is found, and forgotten when it is undone: $fault', async (fault) => {
    const connection = await untouched.owner.connect()
    try {
      const discovery = await discover(connection, fault)
      discoveries.push(discovery)
      if (fault.check) expect(discovery.checks).toContain(fault.check)
      else expect(discovery.attacks).not.toEqual([])
      expect((await connection.query('select * from audit.findings')).rows).toEqual([])
    } finally {
      connection.release()
    }
  })

  it('is planted for every check, and for all thirteen that a known linter misses', () => {
    const tested = new Set(faults.map(({ check }) => check))
    expect(readChecks().filter(({ name }) => !tested.has(name))).toEqual([])
    expect(faults.filter(({ isMissedElsewhere }) => isMissedElsewhere)).toHaveLength(13)
  })

  it('is planted for every lint of Supabase\'s linter that concerns isolation', () => {
    const covered = faults.flatMap(({ lint }) => lint ?? []).sort()
    expect(covered).toEqual(lints)
  })

  it('is on the page with what found it, beside every check and exception', async () => {
    expect(discoveries).toHaveLength(faults.length)
    const page = readFileSync(isolationPage, 'utf8')
    expect(page).toBe(withParts(page, await generatedParts(client, discoveries)))
  })
})
