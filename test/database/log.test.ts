// What PostgreSQL says of a value that it refuses quotes the value, and the log must not.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { describeError } from '../../src/log.ts'
import { type TestDatabase, createDatabase } from '../setup/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createDatabase()
})
afterAll(() => db.close())

const errorOf = (sql: string, ...values: unknown[]): Promise<unknown> =>
  db.owner.query(sql, values).then(() => undefined, (error: unknown) => error)

describe('an error in the log', () => {
  it.each([
    ['a uuid', 'select $1::text::uuid'],
    ['JSON', 'select $1::text::jsonb'],
    ['a number', 'select $1::text::integer'],
    ['a date', 'select $1::text::date'],
    ['a row that breaks a constraint', `insert into app.tenants (slug, name) values ($1, '')`],
    ['a code block', `do 'begin perform ''SECRET-VALUE''::integer; end'`],
  ])('keeps the value of %s to itself', async (_name, sql) => {
    const error = await errorOf(sql, ...(sql.includes('$1') ? ['SECRET-VALUE'] : []))
    const told = describeError(error)
    expect(told).toMatchObject({ code: expect.stringMatching(/^2[23]/), message: 'a value was refused' })
    expect(JSON.stringify(told)).not.toContain('SECRET-VALUE')
  })

  it('says what else went wrong', async () => {
    expect(describeError(await errorOf('select 1 from nowhere'))).toMatchObject({
      code: '42P01',
      message: 'relation "nowhere" does not exist',
    })
  })
})
