// Today's document keeps every promise of the released one, docs/openapi.released.json.
// `npm run openapi:release` writes a new one; README.md says when.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { openApiDocument } from '../../src/http/openapi.ts'
import { breakingChanges } from '../setup/breaking_changes.ts'

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
const released = plain(
  JSON.parse(readFileSync(new URL('../../docs/openapi.released.json', import.meta.url), 'utf8')),
)

it('today\'s document breaks nothing that was released', () => {
  expect(breakingChanges(released, plain(openApiDocument()))).toEqual([])
})

const base = '/public/v1'
const schemas = (document: any) => document.components.schemas
const operation = (document: any, method: string, path: string) =>
  document.paths[base + path][method]
const sent = (document: any, name: string) => schemas(document)[name].properties

/** What changes when a released document is edited. */
function changesOf(edit: (document: any) => void): string[] {
  const document = plain(released)
  edit(document)
  return breakingChanges(released, document)
}

describe('a breaking change IS', () => {
  it.each<[string, (document: any) => void]>([
    ['a removed path', (one) => delete one.paths[`${base}/orders`]],
    ['a removed method', (one) => delete one.paths[`${base}/quotes`].post],
    ['a removed status', (one) => delete operation(one, 'get', '/me').responses['401']],
    ['a removed answer field', (one) => delete sent(one, 'Quote').fee],
    ['a field that may be missing', (one) => schemas(one).Quote.required.pop()],
    ['an answer field that may be null', (one) => (sent(one, 'Quote').source.type = ['string', 'null'])],
    ['an answer field of another type', (one) => (sent(one, 'Quote').turnaround_days.type = 'string')],
    ['a new value in an answer', (one) => sent(one, 'Quote').status.enum.push('lost')],
    ['a removed answer header', (one) => delete operation(one, 'get', '/me').responses['200'].headers.RateLimit],
    ['a new required request field', (one) => schemas(one).QuoteCreate.required.push('notes')],
    ['a removed request field', (one) => delete sent(one, 'QuoteCreate').metadata],
    ['a request field of fewer types', (one) => (sent(one, 'QuoteCreate').notes.type = 'string')],
    ['a removed value in a request', (one) => sent(one, 'QuoteCreate').source.enum.shift()],
    ['a lower greatest length', (one) => (sent(one, 'QuoteCreate').notes.maxLength = 9999)],
    ['a higher least length', (one) => (sent(one, 'QuoteCreate').product_code.minLength = 2)],
    ['a new pattern', (one) => (sent(one, 'QuoteCreate').product_code.pattern = '^[A-Z]+$')],
    ['a smaller batch', (one) => (sent(one, 'OrganizationBatch').items.maxItems = 50)],
    ['a removed parameter', (one) => operation(one, 'get', '/orders').parameters.pop()],
    [
      'a new required parameter',
      (one) => operation(one, 'get', '/me').parameters.push({ name: 'a', in: 'query', required: true, schema: {} }),
    ],
    ['another scope', (one) => (operation(one, 'get', '/products')['x-required-scope'] = 'fees:read')],
    ['another name of an operation', (one) => (operation(one, 'get', '/me').operationId = 'me')],
    ['a removed event', (one) => delete one.webhooks['lead.upserted']],
    ['a field less in an event', (one) => delete sent(one, 'LeadUpsertedEvent').timestamp],
  ])('%s', (_name, edit) => {
    expect(changesOf(edit)).not.toEqual([])
  })
})

describe('a breaking change is NOT', () => {
  it.each<[string, (document: any) => void]>([
    ['nothing', () => {}],
    ['a new path', (one) => (one.paths[`${base}/new`] = one.paths[`${base}/me`])],
    ['a new status', (one) => (operation(one, 'get', '/me').responses['418'] = { description: '' })],
    ['a new error code', (one) => operation(one, 'get', '/me').responses['401'].content['application/json'].schema.properties.code.enum.push('new')],
    ['a new answer field', (one) => (sent(one, 'Quote').more = { type: 'string' })],
    ['a new optional request field', (one) => (sent(one, 'QuoteCreate').more = { type: 'string' })],
    ['a new value in a request', (one) => sent(one, 'QuoteCreate').source.enum.push('fax')],
    ['a higher greatest length', (one) => (sent(one, 'QuoteCreate').notes.maxLength = 20_000)],
    ['a request field of more types', (one) => (sent(one, 'QuoteCreate').product_code.type = ['string', 'null'])],
    ['an answer field that is never null', (one) => (sent(one, 'Quote').fee.type = 'string')],
    ['other words', (one) => (operation(one, 'get', '/me').description = 'Another.')],
  ])('%s', (_name, edit) => {
    expect(changesOf(edit)).toEqual([])
  })
})
