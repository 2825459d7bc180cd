// Makes the generated parts of docs/tenant-isolation.md: what each check is about, the
// exceptions, and what found each planted fault. Run by itself it makes an embedded
// database for that; a test makes the same parts in the tests' own and compares.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { readCredentials } from '../src/database/credentials.ts'
import { openEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { type Fault, faults } from '../test/database/audit.cases.ts'
import { readChecks } from './checks.ts'

export const isolationPage = fileURLToPath(new URL('../docs/tenant-isolation.md', import.meta.url))

type Queryable = Pick<pg.ClientBase, 'query'>
type Attempt = { role: string; object: string; command: string; outcome: string; detail: string }

export type Discovery = {
  fault: Fault
  checks: string[]
  /** Attackers with the attacks that succeeded, such as `svc_api: select, update`. */
  attacks: string[]
}

/** Makes a fault, asks the audit and the proof, and takes it back. */
export async function discover(client: Queryable, fault: Fault): Promise<Discovery> {
  await client.query('begin')
  try {
    await client.query(fault.sql)
    const findings = await client.query<{ check: string }>(
      'select distinct "check" from audit.findings order by 1',
    )
    const proof = await client.query<Attempt>(
      `select * from audit.prove_isolation() where outcome = 'LEAK'`,
    )
    return {
      fault,
      checks: findings.rows.map(({ check }) => check),
      attacks: summary(proof.rows),
    }
  } finally {
    await client.query('rollback')
    // PostgreSQL keeps plans that it made for a role while that was a superuser.
    await client.query('discard plans')
  }
}

function summary(leaks: Attempt[]): string[] {
  const commands = Map.groupBy(leaks, ({ role }) => role)
  return [...commands]
    .map(([role, attempts]) => {
      const names = new Set(attempts.map(({ command }) => command).sort())
      return `${role}: ${[...names].join(', ')}`
    })
    .sort()
}

/** The generated parts by the name of their place on the page. */
export async function generatedParts(
  client: Queryable,
  discoveries: Discovery[],
): Promise<Record<string, string>> {
  return {
    checks: readChecks()
      .map(({ name, about }) => `- **${name}.** ${about}`)
      .join('\n'),
    exceptions: await exceptions(client),
    faults: table(
      ['fault', 'checks that report it', 'attacks that succeed'],
      discoveries.map(({ fault, checks, attacks }) => [
        `${fault.fault}${fault.isMissedElsewhere ? ' *' : ''}`,
        checks.join(', '),
        attacks.join('; '),
      ]),
    ),
    lints: table(
      ['lint', 'check', 'planted fault'],
      discoveries
        .filter(({ fault }) => fault.lint !== undefined)
        .map(({ fault }) => [fault.lint ?? '', fault.check ?? '', fault.fault])
        .sort(([one = ''], [other = '']) => (one < other ? -1 : 1)),
    ),
  }
}

async function exceptions(client: Queryable): Promise<string> {
  const { rows } = await client.query<Record<string, string>>(`
    select role, relation as object, array_to_string(commands, ', ') as rights, reason
    from audit.entrusted()
    union all
    select
      proowner::regrole::text,
      function,
      concat_ws(' ', 'security definer', 'for ' || nullif(array_to_string(callers, ', '), '')),
      reason
    from audit.entrusted_functions()
    inner join pg_proc on function = audit.function_name(pg_proc.oid)
    union all
    select coalesce(role, '-'), object, 'left alone by ' || "check", reason
    from audit.exceptions()`)
  return table(
    ['role', 'object', 'rights', 'why'],
    // By code units: a database's collation differs from machine to machine.
    rows
      .sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
      .map((row) => Object.values(row)),
  )
}

const sortKey = ({ rights, role, object }: Record<string, string>): string =>
  `${rights} ${role} ${object}`

function table(names: string[], rows: string[][]): string {
  const line = (cells: string[]): string =>
    `| ${cells.map((text) => text.replaceAll('|', '\\|') || '-').join(' | ')} |`
  return [line(names), line(names.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The page with its generated parts replaced. */
export function withParts(page: string, parts: Record<string, string>): string {
  return Object.entries(parts).reduce(
    (text, [name, part]) =>
      text.replace(
        new RegExp(`(<!-- generated: ${name}[^>]*-->\n)[^]*?(<!-- end -->)`),
        (_all, start: string, end: string) => `${start}${part}\n${end}`,
      ),
    page,
  )
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'appraisal-audit-'))
  const credentials = readCredentials(folder)
  const server = await openEmbedded(join(folder, 'postgres'), credentials.owner)
  const url = new URL(server.url)
  url.pathname = '/audit'
  try {
    await migrate(url.href, credentials)
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    try {
      const discoveries: Discovery[] = []
      for (const fault of faults) discoveries.push(await discover(client, fault))
      const parts = await generatedParts(client, discoveries)
      await writeFile(isolationPage, withParts(await readFile(isolationPage, 'utf8'), parts))
      console.log('wrote docs/tenant-isolation.md')
    } finally {
      await client.end()
    }
  } finally {
    await server.release()
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await main()
