// What PostgreSQL says of a value that it refuses quotes the value, and the log must not. And
// what is logged last, just before a process ends, says why it ended.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
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

/** The lines on standard error of a process that logs more than a pipe holds, and then ends. */
async function linesOf(count: number, ending: string): Promise<string[]> {
  const log = fileURLToPath(new URL('../../src/log.ts', import.meta.url))
  const script = `
    import { createLog } from ${JSON.stringify(log)}
    const log = createLog('info')
    for (let i = 1; i <= ${count}; i += 1) log.info({ i, more: 'x'.repeat(200) }, 'logged')
    ${ending}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let text = ''
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await new Promise((resolve) => child.once('close', resolve))
  return text.split('\n').filter((line) => line.startsWith('{"level"'))
}

describe('the last lines of a process', () => {
  it.each([
    ['process.exit(1)'],
    [`throw new Error('broken')`],
    ['// comes to its end'],
  ])('are all written before "%s"', async (ending) => {
    const lines = await linesOf(5000, ending)
    expect(lines).toHaveLength(5000)
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ i: 5000 })
  })
})
