// What an attacker, a fuzzer or a broken client sends, as bytes for a socket: more than a
// thousand requests to every operation, made by crossing hostile parts with the places that
// take them. Nothing here is random, so that a finding can be sent again.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { endpoints } from '../../src/api/index.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { basePath } from '../../src/http/openapi.ts'
import { quoteRequest } from '../setup/catalogue.ts'
import { aUuid, pathOf } from '../setup/endpoints.ts'
import { boundary, eicar, multipart, multipartType, pdf } from '../setup/files.ts'

/** What the requests need to get past the first gates. */
export type Target = { key: string; foreignKey: string; quoteId: string; analyst: string }

export type HostileCase = {
  family: string
  name: string
  listener: 'api' | 'internal'
  /** Made when it is sent: some are large. */
  bytes: () => Buffer
  /** Never complete: the sender hangs up, and an answer may find nobody. */
  isCutOff: boolean
}

type Parts = {
  method?: string
  target: string
  headers?: Record<string, string>
  body?: string | Buffer
}

const crlf = '\r\n'
const json = { 'Content-Type': 'application/json' }
const mebibyte = 1024 * 1024
const repeat = (text: string, times: number): string => text.repeat(times)

let serial = 0
const fresh = (): Record<string, string> => ({ 'Idempotency-Key': `hostile-${(serial += 1)}-${Date.now()}` })

/** A request as bytes; header values go out as Latin-1, as an attacker's would. */
function http({ method = 'GET', target, headers = {}, body }: Parts): Buffer {
  const bytes = body === undefined ? undefined : Buffer.from(body as string)
  const all = {
    Host: 'api.example',
    Connection: 'close',
    ...(bytes ? { 'Content-Length': String(bytes.length) } : {}),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const head = [`${method} ${target} HTTP/1.1`, ...lines].join(crlf)
  return Buffer.concat([Buffer.from(`${head}${crlf}${crlf}`, 'latin1'), bytes ?? Buffer.alloc(0)])
}

/** Texts that mean something to a database, a log, a shell, a browser or a terminal. */
export const hostileTexts: Record<string, string> = {
  'SQL: or true': "' OR '1'='1",
  'SQL: drop': "'; drop table app.quotes; --",
  'SQL: union': "x' union select digest, name from auth.api_keys --",
  'SQL: sleep': "'||(select pg_sleep(30))||'",
  'SQL: dollar quotes': '$$; select pg_terminate_backend(pg_backend_pid()); $$',
  'SQL: set tenant': "'; set svc.key_digest = ''; --",
  'SQL: copy program': "'; copy (select 1) to program 'id'; --",
  'SQL: comment': '/**/--/*',
  'SQL: backslash': "\\' or 1=1 --",
  'SQL: like': '%_%_%\\',
  'SQL: json path': '$.* ? (@ like_regex ".*")',
  'SQL: array': '{"a","b"}',
  'SQL: row': '(1,2)',
  'SQL: cast': "1'::regclass",
  'SQL: chr': "'||chr(0)||'",
  'NoSQL': '{"$gt":""}',
  'GraphQL': '{__schema{types{name}}}',
  'GraphQL: break out': '"}) { tenants { id } } #',
  'LDAP': '*)(uid=*))(|(uid=*',
  'XPath': "' or count(parent::*[position()=1])=0 or 'a'='b",
  'XML entity': '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  'shell': '$(cat /etc/passwd)`id`;id|id&&id',
  'template': '{{7*7}}${7*7}<%= 7*7 %>#{7*7}',
  'log4j': '${jndi:ldap://127.0.0.1/a}',
  'format': '%s%s%n%x%p%d%j%o%O%c',
  'script': '<script>alert(1)</script>',
  'attribute': '" onmouseover="alert(1)',
  'javascript': 'javascript:alert(1)//',
  'CSV formula': '=cmd|"/C calc"!A0',
  'path': '../../../../etc/passwd',
  'Windows path': '..\\..\\windows\\win.ini',
  'file': 'file:///etc/passwd',
  'NUL': 'a\0b',
  'NUL at the end': 'abc\0',
  'bell and backspace': 'a\u0007\b\u007fb',
  'terminal': '\u001b[2J\u001b]0;owned\u0007\u001b[31m',
  'C1 controls': 'a\u0080\u0085\u009bb',
  'line breaks': 'a\r\nb\nc\rd',
  'log line': 'x\n{"level":60,"msg":"forged-record"}\n',
  'header line': 'x\r\nX-Forged: forged-record\r\n\r\n',
  'Unicode line breaks': 'a\u2028b\u2029c',
  'bidi override': '\u202Efdp.exe\u202C',
  'bidi isolates': '\u2066a\u2067b\u2068c\u2069',
  'zero width': 'a\u200bb\u200cc\u200dd\ufeffe',
  'only zero width': '\u200b\u200b',
  'tags': '\u{E0041}\u{E0042}\u{E007F}',
  'variation selectors': 'a\ufe0f\u{E0100}',
  'combining': `a${repeat('\u0301', 500)}`,
  'long grapheme': repeat('👩\u200d👩\u200d👧\u200d', 30),
  'homoglyphs': 'Аdmin раypal',
  'ligature': 'ﷺﷺﷺﷺ',
  'case folding': 'İıſKßẞ',
  'non-characters': '\uffff\ufffe\u{10ffff}\u{1fffe}',
  'private use': '\ue000\u{f0000}',
  'full width': '＇ ＯＲ １＝１ －－',
  'normalisation': 'e\u0301 é \u212b Å',
  'astral': repeat('𝕏', 60),
  'prototype': '__proto__',
  'constructor': 'constructor',
  'toString': 'toString',
  'numbers': '-0',
  'infinity': 'Infinity',
  'not a number': 'NaN',
  'exponent': '1e400',
  'past 2^53': '9007199254740993',
  'past 2^64': '18446744073709551616',
  'hex': '0x7fffffff',
  'null': 'null',
  'undefined': 'undefined',
  'empty': '',
  'blank': ' \t\u00a0\u3000',
  'regular expression': `${repeat('a', 200)}!`,
  'nested quantifier': '(((a+)+)+)+$',
  'email bomb': `${repeat('a', 64)}@${repeat('b.', 90)}c`,
  'long': repeat('A', 20_000),
  'very long': repeat('é', 300_000),
}

/** Bodies of operations that would be taken, with one text put in. */
const places: [name: string, method: string, path: string, body: (text: string) => unknown][] = [
  ['reference of a quote', 'POST', '/quotes', (text) => quoteRequest({ external_reference: text })],
  ['notes of a quote', 'POST', '/quotes', (text) => quoteRequest({ notes: text })],
  ['product of a quote', 'POST', '/quotes', (text) => quoteRequest({ product_code: text })],
  [
    'county of a fee',
    'POST',
    '/fees/preview',
    (text) => ({ product_code: 'URAR', subject: { line1: '1 A St', state: 'CA', county: text } }),
  ],
  ['name of an organization', 'POST', '/organizations', (text) => ({ name: text, client_type: 'lender' })],
  [
    'row of a batch',
    'POST',
    '/organizations/batch',
    (text) => ({ items: [{ name: `n ${text}`, client_type: 'lender', account_number: text }] }),
  ],
  [
    'nested organization of a lead',
    'POST',
    '/leads',
    (text) => ({ title: text, organization: { name: text, client_type: 'lender' } }),
  ],
  [
    'metadata',
    'POST',
    '/quotes',
    (text) => quoteRequest({ metadata: { [text]: [text, { [text]: text }] } }),
  ],
]

const inBodies = ({ key }: Target): HostileCase[] =>
  places.flatMap(([place, method, path, bodyOf]) =>
    Object.entries(hostileTexts).map(([name, text]) =>
      one(`text in a body: ${place}`, name, () =>
        http({
          method,
          target: basePath + path,
          headers: { ...json, ...fresh(), Authorization: `Bearer ${key}` },
          body: JSON.stringify(bodyOf(text)),
        }),
      ),
    ),
  )

const queryTargets = ['/organizations?q=', '/quotes?external_reference=', '/orders?order_number=', '/me?']

const inQueries = ({ key }: Target): HostileCase[] =>
  queryTargets.flatMap((start) =>
    Object.entries(hostileTexts).map(([name, text]) =>
      one(`text in a query: ${start}`, name, () =>
        http({
          target: basePath + start + encodeURIComponent(text.slice(0, 2000)),
          headers: { Authorization: `Bearer ${key}` },
        }),
      ),
    ),
  )

// Line breaks end a header; what is left is what a client could get through.
const asHeader = (text: string): string =>
  Buffer.from(text.replaceAll(/[\r\n\0]/g, ' ').slice(0, 4000)).toString('latin1')

const headerNames = ['X-Request-Id', 'Idempotency-Key', 'Authorization', 'User-Agent', 'traceparent']

const inHeaders = ({ key }: Target): HostileCase[] =>
  headerNames.flatMap((header) =>
    Object.entries(hostileTexts).map(([name, text]) =>
      one(`text in a header: ${header}`, name, () =>
        http({
          method: 'POST',
          target: `${basePath}/quotes`,
          headers: {
            ...json,
            ...fresh(),
            Authorization: `Bearer ${key}`,
            [header]: asHeader(text),
          },
          body: JSON.stringify(quoteRequest()),
        }),
      ),
    ),
  )

const deep = (open: string, close: string, levels: number): string =>
  repeat(open, levels) + repeat(close, levels)

/** Bodies that are wrong, or meant to be read in two ways. */
const hostileBodies: Record<string, () => string | Buffer> = {
  'deep arrays': () => deep('[', ']', 50_000),
  'deep objects': () => `${repeat('{"a":', 50_000)}1${repeat('}', 50_000)}`,
  'deep arrays left open': () => repeat('[', 200_000),
  'deep metadata': () => `{"metadata":${deep('[', ']', 3000)}}`,
  'deep with a long number': () => deep('[', ']', 100_000).replace('[]', '[12345678901234567890]'),
  'duplicate keys': () => '{"name":"a","name":"b","title":"a","title":"b","items":[],"items":[{}]}',
  'duplicate keys in metadata': () => '{"metadata":{"a":1,"a":2,"\\u0061":3}}',
  'prototype pollution': () => '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  'prototype in metadata': () => '{"metadata":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}',
  'prototype in items': () => '{"items":[{"__proto__":{"name":"x","client_type":"lender"}}]}',
  'toJSON and valueOf': () => '{"metadata":{"toJSON":"x","valueOf":"x","then":"x","length":1e9}}',
  'many keys': () => `{${Array.from({ length: 50_000 }, (_, n) => `"k${n}":1`).join(',')}}`,
  'many items': () => `{"items":[${repeat('{},', 5000)}{}]}`,
  'many contacts': () => `{"name":"x","client_type":"lender","contacts":[${repeat('{},', 5000)}{}]}`,
  'items that are no objects': () => '{"items":[null,1,"a",[],true]}',
  'items that is no list': () => '{"items":{"length":100,"0":{}}}',
  'long number': () => `{"amount_cents":${repeat('9', 100_000)},"schema_version":${repeat('1', 400)}}`,
  'number past 2^53': () => '{"amount_cents":9007199254740993,"schema_version":1.0000000000000000001}',
  'number past the range': () => '{"amount_cents":1e400,"schema_version":-1e400,"metadata":{"n":1e99999}}',
  'exponent bomb': () => '{"metadata":{"n":1e-999999999,"m":123456789012345678901e999999999}}',
  'negative zero': () => '{"amount_cents":-0,"schema_version":1e0}',
  'lone surrogate': () => '{"notes":"\\ud800","name":"\\udfff","title":"a\\ud83d","external_reference":"\\ude00"}',
  'lone surrogate in a key': () => '{"metadata":{"\\ud800":1}}',
  'lone surrogate in metadata': () => '{"metadata":{"a":"\\udc00\\ud800"}}',
  'NUL in a key': () => '{"metadata":{"a\\u0000b":1},"\\u0000":1}',
  'NUL as a byte': () => '{"notes":"a\0b"}',
  'invalid UTF-8': () => Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  'overlong UTF-8': () => Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  'surrogate as bytes': () => Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  'past U+10FFFF': () => Buffer.from([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]),
  'cut in a character': () => Buffer.from([0x22, 0xe2, 0x82]),
  'UTF-16': () => Buffer.from('\ufeff{"name":"a"}', 'utf16le'),
  'byte-order mark': () => '\ufeff{}',
  'comments': () => '/* a */ {"name": "b" /* c */ } // d',
  'single quotes': () => "{'name':'a'}",
  'trailing comma': () => '{"name":"a",}',
  'two documents': () => '{"name":"a"}{"name":"b"}',
  'not a number': () => '{"amount_cents":NaN,"fee":Infinity}',
  'JavaScript': () => '{"a":(()=>process.exit())()}',
  'YAML': () => 'a: &a [*a, *a]\nb: !!js/function "x"',
  'XML': () => '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;&b;</a>',
  'form': () => 'name=a&__proto__[polluted]=true',
  'only white space': () => repeat(' \n\t', 100_000),
  'a string': () => '"__proto__"',
  'a null': () => 'null',
  'tenant in the body': () => '{"tenant_id":"00000000-0000-0000-0000-000000000000","p_key_id":"x"}',
  'past 5 MiB': () => `{"notes":"${repeat('a', 5 * mebibyte)}"}`,
  'escapes': () => `{"notes":"${repeat('\\u0041', 60_000)}"}`,
  'long key': () => `{"${repeat('k', 500_000)}":1}`,
}

const withBody = endpoints.filter(({ body }) => body)
const writing = withBody.filter(({ operation }) => !/fee|coverage/.test(operation))

const brokenBodies = ({ key }: Target): HostileCase[] =>
  writing.flatMap((endpoint) =>
    Object.entries(hostileBodies).map(([name, bodyOf]) =>
      one(`body of ${endpoint.operation}`, name, () => toJson(endpoint, key, bodyOf())),
    ),
  )

const toJson = (
  endpoint: Endpoint,
  key: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Buffer =>
  http({
    method: endpoint.method.toUpperCase(),
    target: basePath + pathOf(endpoint),
    headers: { ...json, ...fresh(), Authorization: `Bearer ${key}`, ...headers },
    body,
  })

const bomb = (() => {
  let made: Buffer | undefined
  return (): Buffer => (made ??= gzipSync(Buffer.alloc(48 * mebibyte, ' ')))
})()

const encodings: [name: string, encoding: string, body: () => Buffer][] = [
  ['a gzip bomb', 'gzip', bomb],
  ['a gzip bomb in gzip', 'gzip', () => gzipSync(bomb())],
  ['a bomb in two encodings', 'gzip, gzip', () => gzipSync(bomb())],
  ['a Brotli bomb', 'br', () => brotliCompressSync(Buffer.alloc(16 * mebibyte, ' '))],
  ['a deflate bomb', 'deflate', () => deflateSync(Buffer.alloc(16 * mebibyte, ' '))],
  ['gzip cut short', 'gzip', () => gzipSync('{"name":"a"}').subarray(0, 14)],
  ['gzip with a wrong sum', 'gzip', () => Buffer.concat([gzipSync('{}').subarray(0, -8), Buffer.alloc(8)])],
  ['gzip and more after it', 'gzip', () => Buffer.concat([gzipSync('{}'), Buffer.from('garbage')])],
  ['many empty members', 'gzip', () => Buffer.concat(Array.from({ length: 5000 }, () => gzipSync('')))],
  ['no gzip', 'gzip', () => Buffer.from('{}')],
  ['an unknown encoding', 'zstd, evil', () => Buffer.from('{}')],
]

const compressed = ({ key }: Target): HostileCase[] =>
  writing.slice(0, 3).flatMap((endpoint) =>
    encodings.map(([name, encoding, bodyOf]) =>
      one(`encoding to ${endpoint.operation}`, name, () =>
        toJson(endpoint, key, bodyOf(), { 'Content-Encoding': encoding }),
      ),
    ),
  )

const hostileTargets = [
  '//public/v1/me', '/public/v1//me', '/public/v1/me/', '/public/v1/ME', '/PUBLIC/v1/me',
  '/public/v1/../v1/me', '/public/v1/./me', '/public/v1/%2e%2e/v1/me', '/public/v1/..%2fme',
  '/public/v1/%2e%2e%2f%2e%2e%2fetc%2fpasswd', '/..%5c..%5cwindows%5cwin.ini', '/../../../etc/passwd',
  '/public/v1/me%00', '/public/v1/me%0d%0aX-Forged:%20forged-record', '/public/v1/me%0a', '/public/v1/%',
  '/public/v1/%zz', '/public/v1/quotes/%c0%ae%c0%ae', '/public/v1/quotes/%ff', '/public/v1/quotes/%ed%a0%80',
  '/public/v1/me;a=b', '/public/v1/me;jsessionid=1', '/public/v1/me#fragment', '/public/v1/me?#', '/public/v1/me??',
  '/public/v1/me?a[]=1&a[__proto__]=2', '/public/v1/me?__proto__[polluted]=true', '/public/v1/me?%00=1',
  '/public/v1/me?%ff=%fe', '/public/v1/me?a=%', `/public/v1/me?${repeat('a=1&', 3000)}`,
  '/public/v1/quotes/constructor', '/public/v1/quotes/__proto__', '/public/v1/quotes/toString',
  `/public/v1/quotes/${aUuid}/..`, `/public/v1/quotes/${aUuid}%2fdocuments`, `/public/v1/quotes/${aUuid}'--`,
  `/public/v1/${repeat('a/', 3000)}`, `/public/v1/${repeat('../', 2000)}`, `/${repeat('a', 12_000)}`,
  '/public/v1/organizations?limit=-1', '/public/v1/organizations?limit=1e2', '/public/v1/organizations?limit=99999999999999999999',
  '/public/v1/organizations?offset=9223372036854775808', '/public/v1/organizations?limit=0x10', '/public/v1/organizations?limit=1&limit=2',
  '/public/v1/organizations?limit[]=1', '/public/v1/leads?organization_id=1%27', '/public/v1/leads?stage=__proto__',
  'http://evil.example/public/v1/me', 'https://evil.example', '*', 'me', '?', '//evil.example/%2e%2e',
  '/public/v1/openapi.json/../me', '/public/v1/health%2f..%2fme', '/docs/../package.json', '/docs/%2e%2e/package.json',
  '/docs/..%2f..%2fpackage.json', '/.env', '/.git/config', '/metrics', '/graphql', '/readyz', '/server-status',
  '/wp-login.php', '/cgi-bin/.%2e/.%2e/bin/sh', '/public/v2/me', '/public/v1', '/',
]

const paths = ({ key }: Target): HostileCase[] =>
  hostileTargets.map((target) =>
    one('path', `${target.slice(0, 80)} of ${target.length}`, () => http({ target, headers: { 'X-SVC-Api-Key': key } })),
  )

const methods = ['PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK', 'M-SEARCH', 'QUERY', 'get', 'FOO', 'HEAD']

const byMethod = ({ key }: Target): HostileCase[] => [
  ...methods.flatMap((method) =>
    ['/quotes', '/me', '/organizations/batch'].map((path) =>
      one('method', `${method} ${path}`, () =>
        http({ method, target: basePath + path, headers: { Authorization: `Bearer ${key}` } }),
      ),
    ),
  ),
  ...['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', '_method'].flatMap((name) =>
    ['DELETE', 'PATCH', 'PUT'].map((method) =>
      one('method override', `${name}: ${method}`, () =>
        http({
          method: 'POST',
          target: `${basePath}/quotes/${aUuid}?_method=${method}`,
          headers: { [name]: method, Authorization: `Bearer ${key}` },
        }),
      ),
    ),
  ),
]

const credentials = ({ key, foreignKey }: Target): HostileCase[] =>
  [
    '', ' ', 'Bearer', 'Bearer ', 'Basic YTpi', `Bearer ${key}x`, `Bearer ${key.slice(0, -1)}`, `Bearer ${key} ${key}`,
    `Bearer ${key}, Bearer ${foreignKey}`, `bearer\t${key}`, `Bearer ${key.toUpperCase()}`, 'Bearer null', 'Bearer undefined',
    'Bearer svc_live_', `Bearer ${key.replace('test', 'live')}`, 'Bearer [object Object]', `Bearer ${repeat('A', 8000)}`,
    "Bearer ' or ''='", 'Bearer \xff\xfe', `Digest ${key}`, key, `Bearer ${repeat(' ', 4000)}x`, `Bearer svc_test_${repeat('0', 38)}`,
  ].map((value, index) =>
    one('credentials', `${index}`, () =>
      http({ target: `${basePath}/me`, headers: { Authorization: value } }),
    ),
  )

const floods = ({ key }: Target): HostileCase[] =>
  [
    ['many headers', repeat('X-A: b\r\n', 1900)],
    ['more headers than are read', repeat('A: b\r\n', 2600)],
    ['one long header', `X-A: ${repeat('a', 15_000)}\r\n`],
    ['one header past the limit', `X-A: ${repeat('a', 70_000)}\r\n`],
    ['many cookies', `Cookie: ${repeat('a=b; ', 2500)}\r\n`],
    ['many ranges', `Range: bytes=${repeat('0-1,', 1500)}0-1\r\n`],
    ['long forwarding', `X-Forwarded-For: ${repeat('127.0.0.1, ', 900)}\r\n`],
    ['long language', `Accept-Language: ${repeat('a;q=0.1,', 1500)}\r\n`],
    ['long accept', `Accept: ${repeat('*/*;q=0.9,', 1200)}\r\n`],
    ['repeated request id', repeat('X-Request-Id: a\r\n', 50)],
    ['repeated authorization', repeat('Authorization: Bearer x\r\n', 50)],
    ['repeated idempotency keys', repeat('Idempotency-Key: a\r\n', 50)],
    ['prototype headers', '__proto__: 1\r\nconstructor: 2\r\ntoString: 3\r\n'],
    ['foreign host', 'X-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\nX-Original-URL: /metrics\r\n'],
    ['upgrade', 'Upgrade: websocket\r\nSec-WebSocket-Key: AAAA\r\nSec-WebSocket-Version: 13\r\n'],
    ['HTTP/2 settings', 'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'],
    ['unknown expectation', 'Expect: 200-maybe\r\n'],
    ['many trace states', `traceparent: 00-${repeat('a', 32)}-${repeat('b', 16)}-01\r\ntracestate: ${repeat('a=b,', 3000)}\r\n`],
  ].map(([name = '', lines = '']) =>
    one('header flood', name, () =>
      Buffer.from(
        `GET ${basePath}/me HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-SVC-Api-Key: ${key}\r\n${lines}\r\n`,
        'latin1',
      ),
    ),
  )

/** Requests that two programs may cut at different places, or that never end. */
function framing({ key }: Target): HostileCase[] {
  const head = `POST ${basePath}/coverage/check HTTP/1.1\r\nHost: a\r\nX-SVC-Api-Key: ${key}\r\nContent-Type: application/json\r\n`
  const chunked = `${head}Transfer-Encoding: chunked\r\n`
  const hidden = `GET ${basePath}/me HTTP/1.1\r\nHost: a\r\nX-Forged: forged-record\r\n\r\n`
  const requests: Record<string, string> = {
    'length and chunks': `${chunked}Content-Length: 4\r\n\r\n0\r\n\r\n${hidden}`,
    'chunks and length': `${head}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG${hidden}`,
    'two lengths': `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`,
    'a list of lengths': `${head}Content-Length: 2, 2\r\n\r\n{}`,
    'a negative length': `${head}Content-Length: -1\r\n\r\n{}`,
    'a signed length': `${head}Content-Length: +2\r\n\r\n{}`,
    'a hexadecimal length': `${head}Content-Length: 0x2\r\n\r\n{}`,
    'a length past 2^64': `${head}Content-Length: 99999999999999999999\r\n\r\n{}`,
    'an empty length': `${head}Content-Length: \r\n\r\n{}`,
    'a chunk size past 2^64': `${chunked}\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n`,
    'a negative chunk': `${chunked}\r\n-1\r\n{}\r\n0\r\n\r\n`,
    'a chunk that is no number': `${chunked}\r\nzz\r\n{}\r\n0\r\n\r\n`,
    'a chunk too short': `${chunked}\r\n5\r\n{}\r\n0\r\n\r\n`,
    'a chunk too long': `${chunked}\r\n1\r\n{}\r\n0\r\n\r\n`,
    'chunk extensions': `${chunked}\r\n2;${repeat('a=b;', 6000)}\r\n{}\r\n0\r\n\r\n`,
    'chunks of one byte': `${chunked}\r\n${repeat('1\r\n \r\n', 5000)}0\r\n\r\n`,
    'chunks ended by a line feed': `${chunked}\r\n2\n{}\n0\n\n`,
    'a long trailer': `${chunked}\r\n2\r\n{}\r\n0\r\n${repeat('X-A: b\r\n', 4000)}\r\n`,
    'a trailer with a key': `${chunked}\r\n2\r\n{}\r\n0\r\nAuthorization: Bearer x\r\n\r\n`,
    'chunks left open': `${chunked}\r\n2\r\n{}`,
    'chunked twice': `${head}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
    'chunked in disguise': `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    'chunked and identity': `${head}Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n`,
    'chunked after a tab': `${head}Transfer-Encoding:\tchunked\r\n\r\n0\r\n\r\n`,
    'a space before the colon': `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    'a folded header': `${head}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`,
    'a bare line feed': `${head.replaceAll('\r\n', '\n')}\n{}`,
    'a bare carriage return': `${head}X-A: a\rb\r\n\r\n`,
    'NUL in a header': `${head}X-A: a\0b\r\n\r\n`,
    'NUL in a name': `${head}X\0A: b\r\n\r\n`,
    'a header without a name': `${head}: b\r\n\r\n`,
    'a header without a colon': `${head}nonsense\r\n\r\n`,
    'no host': `GET ${basePath}/me HTTP/1.1\r\nX-SVC-Api-Key: ${key}\r\n\r\n`,
    'two hosts': `GET ${basePath}/me HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`,
    'HTTP/1.0': `GET ${basePath}/me HTTP/1.0\r\nX-SVC-Api-Key: ${key}\r\n\r\n`,
    'HTTP/0.9': `GET ${basePath}/me\r\n\r\n`,
    'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'HTTP/9.9': `GET ${basePath}/me HTTP/9.9\r\nHost: a\r\n\r\n`,
    'two spaces': `GET  ${basePath}/me  HTTP/1.1\r\nHost: a\r\n\r\n`,
    'a tab in the first line': `GET\t${basePath}/me\tHTTP/1.1\r\nHost: a\r\n\r\n`,
    'line breaks first': `${repeat('\r\n', 500)}GET ${basePath}/me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    'a long method': `${repeat('A', 20_000)} / HTTP/1.1\r\nHost: a\r\n\r\n`,
    'a method of a prototype': '__proto__ / HTTP/1.1\r\nHost: a\r\n\r\n',
    'bytes past ASCII': 'GET /\xff\xfe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'a hidden request': `GET ${basePath}/me HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\nConnection: close\r\n\r\n${hidden}`,
    'a body with GET': `GET ${basePath}/me HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-SVC-Api-Key: ${key}\r\nContent-Length: 2\r\n\r\n{}`,
    'forty requests at once': repeat(`GET ${basePath}/me HTTP/1.1\r\nHost: a\r\nX-SVC-Api-Key: ${key}\r\n\r\n`, 40),
    'CONNECT': `CONNECT 127.0.0.1:5432 HTTP/1.1\r\nHost: a\r\n\r\n`,
    'PROXY protocol': 'PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n',
    'TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'PostgreSQL': '\x00\x00\x00\x08\x04\xd2\x16\x2f',
    'Redis': '*1\r\n$8\r\nFLUSHALL\r\n',
    'SMTP': 'EHLO evil.example\r\nMAIL FROM:<a@b>\r\n',
    'noise': '\x00\xff\x80\x01\r\n\r\n',
    'half a request': `POST ${basePath}/quotes HTT`,
    'half a body': `${head}Content-Length: 100\r\n\r\n{"state":`,
    'nothing': ' ',
  }
  return Object.entries(requests).map(([name, text]) => ({
    ...one('framing', name, () => Buffer.from(text, 'latin1')),
    isCutOff: true,
  }))
}

function uploads({ key, quoteId }: Target): HostileCase[] {
  const file = { fileName: '"a.pdf"', type: 'application/pdf', data: pdf() }
  const form = (name: string, body: () => Buffer | string, headers: Record<string, string> = {}) =>
    one('upload', name, () =>
      http({
        method: 'POST',
        target: `${basePath}/quotes/${quoteId}/documents`,
        headers: { ...multipartType, Authorization: `Bearer ${key}`, ...headers },
        body: body(),
      }),
    )
  const named = Object.entries(hostileTexts)
    .filter(([, text]) => text.length < 4000)
    .map(([name, text]) =>
      form(`file name, ${name}`, () =>
        multipart([{ ...file, fileName: `"${text.replaceAll(/["\r\n]/g, '_')}"` }]),
      ),
    )
  return [
    ...named,
    form('EICAR', () => multipart([{ ...file, data: eicar }])),
    form('no parts', () => `--${boundary}--\r\n`),
    form('no end', () => multipart([file]).subarray(0, -20)),
    form('no body', () => ''),
    form('noise', () => Buffer.alloc(100_000, 0xff)),
    form('many parts', () => multipart(Array.from({ length: 300 }, (_, n) => ({ name: `f${n}`, data: 'x' })))),
    form('many files', () => multipart(Array.from({ length: 50 }, () => file))),
    form('many part headers', () => multipart([{ ...file, type: `a/b\r\n${repeat('X-A: b\r\n', 3000)}X: y` }])),
    form('a long part header', () => multipart([{ ...file, type: repeat('a', 100_000) }])),
    form('a prototype field', () => multipart([{ name: '__proto__[polluted]', data: 'true' }, file])),
    form('a nested field', () => multipart([{ name: repeat('a[b]', 500), data: 'true' }, file])),
    form('a long field', () => multipart([{ name: 'document_type', data: repeat('a', 100_000) }, file])),
    form('an encoded file name', () => multipart([{ ...file, disposition: "Content-Disposition: form-data; name=\"file\"; filename*=UTF-8''%00%ff%e2%80%ae" }])),
    form('a transfer encoding', () => multipart([{ ...file, type: 'application/pdf\r\nContent-Transfer-Encoding: base64' }])),
    form('a boundary that is empty', () => multipart([file]), { 'Content-Type': 'multipart/form-data; boundary=""' }),
    form('no boundary', () => multipart([file]), { 'Content-Type': 'multipart/form-data' }),
    form('a long boundary', () => multipart([file]), { 'Content-Type': `multipart/form-data; boundary=${repeat('a', 5000)}` }),
    form('a pattern as boundary', () => multipart([file]), { 'Content-Type': 'multipart/form-data; boundary=(a+)+$' }),
    form('a compressed form', () => gzipSync(multipart([file])), { 'Content-Encoding': 'gzip' }),
    form('JSON', () => '{}', json),
  ]
}

const graphqlQueries: Record<string, string> = {
  'deep': `${repeat('{ quotes { nodes { product ', 40)}{ code }${repeat('} } }', 40)}`,
  'aliases': `{ ${Array.from({ length: 2000 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
  'fragment cycle': 'query { ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
  'fragment bomb': `{ ...f0 } ${Array.from({ length: 30 }, (_, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`).join(' ')} fragment f30 on Query { __typename }`,
  'directive flood': `{ __typename ${repeat('@include(if: true) ', 3000)} }`,
  'unknown directives': `{ __typename ${repeat('@a ', 5000)} }`,
  'introspection loop': `{ __schema { types ${repeat('{ fields { type ', 30)}{ name }${repeat('} }', 30)} } }`,
  'SQL in a filter': `{ quotes(filter: {status: {equalTo: "' or 1=1 --"}}) { totalCount } }`,
  'SQL in an order': '{ quotes(orderBy: [ID_ASC, "; drop table app.quotes"]) { totalCount } }',
  'a page of everything': '{ quotes(first: 2147483648) { nodes { id } } }',
  'a negative page': '{ quotes(first: -1) { nodes { id } } }',
  'a foreign cursor': '{ quotes(after: "WyJwcmltYXJ5X2tleV9hc2MiLFsiJyBvciAxPTEiXV0=") { nodes { id } } }',
  'a mutation': 'mutation { createQuote(input: {}) { clientMutationId } }',
  'a subscription': 'subscription { listen(topic: "x") { relatedNodeId } }',
  'a secret table': '{ apiKeys { nodes { digest } } }',
  'personal data': '{ quotes { nodes { clientEmail notes } } }',
  'half a string': '{ quotes(filter: {status: {equalTo: "',
  'NUL': '{ quotes(filter: {status: {equalTo: "a\\u0000b"}}) { totalCount } }',
  'surrogate': '{ quotes(filter: {status: {equalTo: "\\ud800"}}) { totalCount } }',
  'deep input': `{ quotes(filter: ${repeat('{not: ', 500)}{}${repeat('}', 500)}) { totalCount } }`,
  'a long list': `{ quotes(filter: {status: {in: [${repeat('"a",', 20_000)}"b"]}}) { totalCount } }`,
  'many operations': Array.from({ length: 500 }, (_, n) => `query q${n} { __typename }`).join(' '),
  'tokens': repeat('{ a ', 20_000),
  'comment': `#${repeat('a', 200_000)}\n{ __typename }`,
  'prototype': '{ __proto__ { a } constructor { b } }',
}

function graphql({ key, analyst }: Target): HostileCase[] {
  const ask = (name: string, body: string | Buffer, headers: Record<string, string> = {}) => ({
    ...one('GraphQL', name, () =>
      http({
        method: 'POST',
        target: '/graphql',
        headers: { ...json, Authorization: `Bearer ${analyst}`, ...headers },
        body,
      }),
    ),
    listener: 'internal' as const,
  })
  const bodies = ['deep arrays', 'deep objects', 'prototype pollution', 'invalid UTF-8', 'lone surrogate', 'many keys', 'two documents', 'a null', 'a string', 'only white space', 'past 5 MiB', 'XML', 'form']
  return [
    ...Object.entries(graphqlQueries).map(([name, query]) => ask(name, JSON.stringify({ query }))),
    ...bodies.map((name) => ask(`body, ${name}`, hostileBodies[name]?.() ?? '')),
    ask('a batch', JSON.stringify(Array.from({ length: 500 }, () => ({ query: '{ __typename }' })))),
    ask('variables of a prototype', '{"query":"{ __typename }","variables":{"__proto__":{"polluted":true}}}'),
    ask('extensions', '{"query":"{ __typename }","extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}'),
    ask('a type of form', 'query={__typename}', { 'Content-Type': 'application/x-www-form-urlencoded' }),
    ask('a gzip bomb', bomb(), { 'Content-Encoding': 'gzip' }),
    ask('a key of the other API', '{"query":"{ __typename }"}', { Authorization: `Bearer ${key}` }),
    ask('a forged token', '{"query":"{ __typename }"}', { Authorization: `Bearer svc_analyst_${repeat('0', 38)}` }),
  ]
}

const one = (family: string, name: string, bytes: () => Buffer): HostileCase => ({
  family,
  name,
  listener: 'api',
  bytes,
  isCutOff: false,
})

/** The whole corpus, for a deployment. */
export const hostileCases = (target: Target): HostileCase[] =>
  [
    inBodies, inQueries, inHeaders, brokenBodies, compressed, paths, byMethod, credentials,
    floods, framing, uploads, graphql,
  ].flatMap((make) => make(target))
