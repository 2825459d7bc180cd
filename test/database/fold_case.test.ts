// Contacts of one request are told apart by the schema, those of the directory by the
// database: what the database takes for the same, the schema must never let through.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { foldCase } from '../../src/schemas/contacts.ts'
import { type TestDatabase, createDatabase } from '../setup/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createDatabase()
})
afterAll(() => db.close())

it('takes no two letters for different that the database takes for one', async () => {
  const { rows } = await db.owner.query<{ letter: string; folded: string }>(
    `select chr(code) as letter, app.fold_case(chr(code)) as folded
    from generate_series(1, 1114111) as code
    where code not between 55296 and 57343 and app.fold_case(chr(code)) <> chr(code)`,
  )
  expect(rows.length).toBeGreaterThan(1000)
  const apart = rows.filter(({ letter, folded }) => foldCase(letter) !== foldCase(folded))
  expect(apart).toEqual([])
})

it.each([
  ['ANN@BANK.EXAMPLE', 'ann@bank.example'],
  ['STRAẞE@x.example', 'strasse@x.example'],
  ['ΟΔΟΣ@x.example', 'οδος@x.example'],
])('takes %s and %s for one', async (one, other) => {
  expect(foldCase(one)).toBe(foldCase(other))
  const { rows } = await db.owner.query(
    'select app.fold_case($1) = app.fold_case($2) as is_one',
    [one, other],
  )
  expect(rows).toEqual([{ is_one: true }])
})
