// Every SQL line of docs/tenant-isolation.md, run as the login that the page says: those
// that shall work do, those that shall fail do.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { isolationPage } from '../../db/audit_page.ts'
import type { DatabaseUrls } from '../../src/database/open.ts'
import { type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'

type Example = { role: keyof DatabaseUrls; fails: boolean; sql: string }

const examples: Example[] = [
  ...readFileSync(isolationPage, 'utf8').matchAll(
    /<!-- as (?<role>\w+)(?<fails>, each fails)? -->\n```sql\n(?<sql>[^]*?)```/g,
  ),
].map(({ groups }) => ({
  role: groups?.['role'] as keyof DatabaseUrls,
  fails: groups?.['fails'] !== undefined,
  sql: groups?.['sql'] ?? '',
}))

let db: TestDatabase

beforeAll(async () => {
  db = await createDatabase()
  await createTenant(db)
  await createTenant(db)
})
afterAll(() => db.close())

/** Runs a psql session's lines in one session of the login. */
async function run(role: keyof DatabaseUrls, sql: string): Promise<pg.QueryResult[]> {
  const client = new pg.Client({ connectionString: db.urls[role] })
  await client.connect()
  try {
    return [await client.query(sql)].flat()
  } finally {
    await client.end()
  }
}

describe('the page on tenant isolation', () => {
  it('has an example in SQL for each login that it names, and no block without one', () => {
    expect(new Set(examples.map(({ role }) => role))).toEqual(new Set(['auditor', 'owner', 'api']))
    const blocks = readFileSync(isolationPage, 'utf8').match(/^```sql$/gm) ?? []
    expect(examples).toHaveLength(blocks.length)
  })

  it.each(examples.filter(({ fails }) => !fails))('shows what works as $role: $sql', async ({ role, sql }) => {
    const results = await run(role, sql)
    expect(results.length).toBeGreaterThan(0)
    const reads = results.filter(({ command }) => command === 'SELECT')
    if (role === 'api') expect(reads.map(({ rows }) => rows)).toEqual(reads.map(() => [{ count: '0' }]))
    if (sql.includes('audit.findings')) expect(reads.map(({ rows }) => rows)).toEqual([[]])
    if (sql.includes('prove_isolation')) {
      const outcomes = reads.flatMap(({ rows }) => rows.map((row) => row.outcome))
      expect(new Set(outcomes)).toEqual(new Set(['refused', 'by design']))
    }
  })

  it.each(
    examples
      .filter(({ fails }) => fails)
      .flatMap(({ role, sql }) => sql.trim().split('\n').map((line) => ({ role, line }))),
  )('shows what fails as $role: $line', async ({ role, line }) => {
    await expect(run(role, line)).rejects.toMatchObject({ code: '42501' })
  })
})
