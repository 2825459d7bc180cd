// The page at `/`: there without a token, and complete without the internet.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type TestGraphql, createTestGraphql } from '../setup/analytics.ts'
import { type TestDatabase, createDatabase } from '../setup/database.ts'

let db: TestDatabase
let graphql: TestGraphql

beforeAll(async () => {
  db = await createDatabase()
  graphql = await createTestGraphql(db)
})
afterAll(async () => {
  await graphql.close()
  await db.close()
})

const load = async (path: string) => {
  const response = await fetch(new URL(path, graphql.url))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

it('needs no token, and names no other host', async () => {
  const { status, headers, text } = await load('/')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(text).not.toMatch(/(https?:)?\/\/[a-z]/i)
  expect(text).toContain('"endpoint": "/graphql"')
  expect(text).toContain('Authorization')
})

it('may load nothing from another host, whatever is in it', async () => {
  const policy = (await load('/')).headers.get('content-security-policy')
  expect(policy).toMatch(/^default-src 'self';/)
  expect(policy).not.toMatch(/http|\*|unsafe-eval/)
})

it('brings its scripts and styles along, with all that they load first', async () => {
  const { text } = await load('/')
  const [script = ''] = /\/ruru-static\/ruru\.js/.exec(text) ?? []
  const [style = ''] = /\/ruru-static\/ruru\.css/.exec(text) ?? []
  for (const path of [script, style, '/ruru-static/graphqlWorker.js', '/ruru-static/jsonWorker.js']) {
    const { status, text: content } = await load(path)
    expect({ path, status, isThere: content.length > 1000 }).toEqual({ path, status: 200, isThere: true })
  }
})

it('answers 404 for what isn\'t there', async () => {
  expect((await load('/ruru-static/nothing.js')).status).toBe(404)
  expect((await load('/nothing')).status).toBe(404)
})
