import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  DatabaseRefusal,
  type SchemaState,
  ownVersions,
  readSchemaState,
  requireMigratable,
  requireUsable,
} from '../../src/database/schema_state.ts'
import { type TestDatabase, createDatabase } from '../setup/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createDatabase()
})
afterAll(() => db.close())

const newest = [...ownVersions()].at(-1) ?? ''

const state = (parts: Partial<SchemaState> = {}): SchemaState => ({
  server: 180_004,
  applied: ownVersions(),
  compatibleFrom: [...ownVersions()][0] ?? null,
  ...parts,
})

describe('a database can be used', () => {
  it('as migrations leave it, and both logins see that it is so', async () => {
    for (const role of ['owner', 'api', 'worker'] as const) {
      const found = await readSchemaState(db.urls[role])
      expect(found.applied).toEqual(ownVersions())
      expect(found.server).toBeGreaterThanOrEqual(180_000)
      expect(() => requireUsable(found)).not.toThrow()
    }
  })

  it('when a later release has migrated it and broke nothing', () => {
    const applied = new Set([...ownVersions(), '29990101000000'])
    expect(() => requireUsable(state({ applied }))).not.toThrow()
  })
})

describe('a database can NOT be used', () => {
  const refusal = (found: SchemaState): string => {
    try {
      requireUsable(found)
    } catch (error) {
      expect(error).toBeInstanceOf(DatabaseRefusal)
      return (error as Error).message
    }
    throw new Error('not refused')
  }

  it.each<[string, Partial<SchemaState>, RegExp]>([
    ['on a server that is too old', { server: 170_006 }, /PostgreSQL 17\b.*PostgreSQL 18/],
    ['that was never migrated', { applied: new Set(), compatibleFrom: null }, /npm run migrate/],
    [
      'that lacks a migration',
      { applied: new Set([...ownVersions()].filter((version) => version !== newest)) },
      /npm run migrate/,
    ],
    [
      'that a later release has changed for good',
      { applied: new Set([...ownVersions(), '29990101000000']), compatibleFrom: '29990101000000' },
      /newer.*29990101000000/,
    ],
  ])('%s: one line says what to do', (_what, parts, expected) => {
    const message = refusal(state(parts))
    expect(message).toMatch(expected)
    expect(message).not.toContain('\n')
  })

  it('and isn\'t migrated either, when its server is too old or its schema too new', () => {
    expect(() => requireMigratable(state({ server: 150_000, applied: new Set() }))).toThrow(DatabaseRefusal)
    expect(() => requireMigratable(state({ compatibleFrom: '29990101000000' }))).toThrow(DatabaseRefusal)
    expect(() => requireMigratable(state({ applied: new Set(), compatibleFrom: null }))).not.toThrow()
  })

  it('that doesn\'t exist is an empty one of its server', async () => {
    const url = new URL(db.urls.owner)
    url.pathname = '/nowhere_at_all'
    expect(await readSchemaState(url.href)).toMatchObject({ applied: new Set(), compatibleFrom: null })
  })
})
