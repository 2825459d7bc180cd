import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { STATE_CODES } from '../../src/schemas/states.ts'
import { createDatabase, type TestDatabase } from '../setup/database.ts'
import { readCounties } from './census_counties.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const pairs = letters.flatMap((first) => letters.map((second) => first + second))
let db: TestDatabase

beforeAll(async () => {
  db = await createDatabase()
})
afterAll(() => db.close())

describe('is_state', () => {
  it('knows of all pairs of letters just those of STATE_CODES', async () => {
    expect(await statesAmong(pairs)).toEqual([...STATE_CODES].sort())
  })

  it('knows the states and territories of the census map, and no others', async () => {
    const mapped = new Set(readCounties().map(({ state }) => state))
    expect(mapped.size).toBe(56)
    expect([...mapped].sort()).toEqual([...STATE_CODES].sort())
  })

  it('refuses lower case, spaces and other text', async () => {
    expect(await statesAmong(['va', 'Va', ' VA', 'VA ', '', 'V', 'VAA', 'Virginia'])).toEqual([])
  })
})

async function statesAmong(codes: string[]): Promise<string[]> {
  const { rows } = await db.owner.query<{ code: string }>(
    `select asked.code
    from unnest($1::text[]) as asked (code)
    where reference.is_state(asked.code)
    order by asked.code collate "C"`,
    [codes],
  )
  return rows.map(({ code }) => code)
}
