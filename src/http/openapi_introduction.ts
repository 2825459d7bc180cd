// What holds for every operation, said once at the top of the OpenAPI document.
import { errorCodes } from './error_codes.ts'

/** Markdown for the document's description. */
export const introduction = (): string =>
  `Quotes, fees, coverage, a directory of organizations, leads and milestones of orders of one
appraisal company. A key belongs to one company and sees only that company's records. Answers
hold fees and turnaround, never a property value.

## Keys

Send \`Authorization: Bearer <key>\` or \`X-SVC-Api-Key: <key>\`. \`svc_test_\` keys work on
staging, \`svc_live_\` keys in production; keep live keys on a server. Each operation names the
scope that it needs in \`x-required-scope\`.

## Order of checks

Address and method, key, rate, scope, headers, size of the body, JSON syntax, schema, rules. The
first that fails answers. An address that does not exist answers 404 \`not_found\`; one that does
not know the method answers 405 \`method_not_allowed\` with \`Allow\`. Before all that, what is
not HTTP, has headers past 16 KiB or arrives too slowly is refused with 400 \`bad_request\`, 431
\`headers_too_large\` or 408 \`request_timeout\`, and the connection ends. All these hold for all
addresses and are not repeated below.

## Bodies

JSON in UTF-8, at most 5 MiB. Unknown properties are refused. Strings are trimmed; lengths count
code points. In an optional field null and an empty string mean the same: leave out on create,
clear on update. An unknown or repeated query parameter is refused; an empty one counts as absent.
Times are UTC; fees are decimal strings with two digits.

## Repeating a request

Operations that create or upsert need an \`Idempotency-Key\`. The same key with the same request
gives the first answer again, byte for byte, with \`Idempotent-Replayed: true\`; with another
request it is refused. A request that failed leaves its key free. Answers are kept for a day
unless the operator chose another time.

## Limits

Requests of a key are counted over a minute; \`RateLimit\` and \`RateLimit-Policy\` tell of it on every
answer, 429 has \`Retry-After\`. A batch has 1 to 100 items, an organization at most 25 contacts in a
request, an upload 15 MiB. Lists say their \`limit\` and whether there is more.

## Errors

Every answer that is not 2xx has one envelope: \`code\`, \`message\` and \`request_id\`, and with
\`validation_error\` also \`detail\`. Rely on the code; the message is for people. Every answer
has \`X-Request-Id\`.

| Status | Code | What happened | What to do |
|---|---|---|---|
${Object.entries(errorCodes).map(row).join('\n')}
`

type Entry = (typeof errorCodes)[keyof typeof errorCodes]

const row = ([code, { status, happened, fix }]: [string, Entry]): string =>
  `| ${status} | \`${code}\` | ${happened} | ${fix} |`
