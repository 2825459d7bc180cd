// Requests that nobody planned: random ones from an operation's schema, and messages that
// are no proper request at all.
import type { Request } from '../setup/api.ts'
import { absent, constraintsOf, probesOf } from './constraints.ts'
import type { Target } from './drive.ts'
import type { Random } from './random.ts'
import { type FuzzRequest, type Known, addressOf, baseOf, transportOf, validFor, withValue } from './requests.ts'
import type { Site } from './schema.ts'
import { hostile } from './values.ts'

/** A request in which up to four places were changed, and others left out. */
export function randomRequest(random: Random, target: Target, known: Known): FuzzRequest {
  const chosen = random.pick(target.sites)
  let request = baseOf(target, known, chosen)
  for (const site of target.sites) {
    if (!site.isRequired && random.percent(15)) request = withValue(request, site, absent)
  }
  const changes = random.below(5)
  for (let index = 0; index < changes; index += 1) {
    const site = index === 0 ? chosen : random.pick(target.sites)
    request = withValue(request, site, randomValue(random, target, known, site))
  }
  // A parameter that nobody knows.
  if (random.percent(5)) request.query[random.pick(['x', 'limit ', '__proto__', 'q[]'])] = 'a'
  return request
}

function randomValue(random: Random, target: Target, known: Known, site: Site): unknown {
  if (constraintsOf(site).length === 0 || random.percent(50)) return random.pick(hostile)
  const probes = probesOf(target.id, site, validFor(target, known))
  return random.pick(probes).value
}

type Broken = {
  method: string
  path: string
  request: Request
  /** The codes that may answer; none where any answer of the document may. */
  codes: string[]
}

const json = { 'Content-Type': 'application/json' }

const notJson = [
  '', ' ', '{', '}', '{"a":1,}', '{a:1}', '\'a\'', '\ufeff{}', '{} {}', 'undefined', 'NaN', '[1,',
  '{"a":"\n"}', '"\\x"', '"\\ud8"', '[]', 'null', '1', '"text"', '{"a":1}', '{"a":{"a":{}}}',
  '['.repeat(100_000), '{"a":'.repeat(50_000), `{"a":${'9'.repeat(1_000_000)}}`,
  `{"a":"${'\\u0000'.repeat(10_000)}"}`, `[${'0,'.repeat(200_000)}0]`, '<a/>', 'a=1&b=2',
]

const notUtf8 = [Buffer.from([0xff, 0xfe]), Buffer.from('{"a":"\xe4"}', 'latin1'), Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])]

const otherTypes = [
  'text/plain', 'application/xml', 'application/json; charset=utf-16', 'application/jsonp', 'json',
  'multipart/form-data', 'application/x-www-form-urlencoded', ';', 'application/ld+json',
]

/** Messages to an operation that are no proper request, with the codes that may answer. */
export function brokenRequests(target: Target, known: Known): Broken[] {
  const base = baseOf(target, known)
  const { method } = target
  const path = addressOf(base)
  const { headers } = transportOf(base)
  const send = (codes: string[], request: Request, address = path): Broken => ({
    method,
    path: address,
    request,
    codes,
  })
  const search = path.includes('?') ? '&' : '?'
  const isOpen = ['check_health', 'read_openapi'].includes(target.id)
  const queries = ['zzz=1', 'limit=1&limit=2', 'external_reference=%00', 'q=%ff', 'a', '%zz=%zz', '=']
  const keys = ['svc_test_', `svc_live_${'a'.repeat(38)}`, `svc_test_${'0'.repeat(38)}`, 'x'.repeat(4000)]
  return [
    ...(isOpen ? [] : keys.map((key) => send(['unauthorized'], { headers, key }))),
    ...(isOpen || method !== 'GET'
      ? []
      : queries.map((query) => send([], {}, `${path}${search}${query}`))),
    ...(target.schema === null
      ? []
      : [
          ...[...notJson, ...notUtf8].map((raw) =>
            send(['invalid_json', 'validation_error'], { headers: { ...headers, ...json }, raw }),
          ),
          ...otherTypes.map((type) =>
            send(['unsupported_media_type'], { headers: { ...headers, 'Content-Type': type }, raw: '{}' }),
          ),
        ]),
  ]
}
