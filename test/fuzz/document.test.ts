// What the OpenAPI document says is what the service does: requests are made from it,
// with valid, borderline and broken values in every place, and each answer must be one
// that the document has, and no failure of the server. FUZZ_REQUESTS says how many (10000
// for a thorough run), FUZZ_SEED repeats a run.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Answer } from '../setup/api.ts'
import { type Probe, constraintsOf, nameOfConstraint, probesOf } from './constraints.ts'
import { type Drive, type Target, createDrive, eachOf, isAccepted, isRefusedAt } from './drive.ts'
import { brokenRequests, randomRequest } from './generate.ts'
import { randomOf } from './random.ts'
import { type FuzzRequest, baseOf, validFor, withValue } from './requests.ts'
import { asRead } from './schema.ts'
import { worded } from './worded.ts'

const total = Number(process.env['FUZZ_REQUESTS'] ?? 5000)
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)

// Thousands of requests, and machines that are slow at times.
jest.setTimeout(900_000)

let drive: Drive
beforeAll(async () => {
  drive = await createDrive(seed)
})
afterAll(() => drive.api.close())

describe(`requests made from the document, seed ${seed}`, () => {
  it('hit every constraint from both sides', async () => {
    const { targets, known } = drive
    const work = targets.flatMap((target) =>
      target.sites.flatMap((site) =>
        probesOf(target.id, site, validFor(target, known)).map((probe) => ({ target, probe })),
      ),
    )
    const hits = new Set<string>()
    await eachOf(work, async ({ target, probe }) => {
      const side = probe.verdict === 'accepted' ? 'within' : 'beyond'
      if (await isAnsweredAsSaid(target, probe)) hits.add(`${probe.constraint} ${side}`)
    })
    drive.requireNone()
    const wanted = targets.flatMap(({ id, sites }) =>
      sites.flatMap((site) =>
        constraintsOf(site).flatMap((keyword) =>
          ['within', 'beyond'].map((side) => `${nameOfConstraint(id, site, keyword)} ${side}`),
        ),
      ),
    )
    expect(wanted.length).toBeGreaterThan(1000)
    expect(wanted.filter((constraint) => !hits.has(constraint))).toEqual([])
  })

  it('hit every rule that it states in words from both sides', async () => {
    await eachOf(worded, async ({ operation, rule, within, beyond, code }) => {
      const target = drive.targets.find(({ id }) => id === operation)
      if (!target) throw new Error(`no operation ${operation}`)
      for (const change of within) {
        const request = change(baseOf(target, drive.known), drive.known)
        const answer = await drive.send(request)
        if (answer && !isAccepted(answer)) drive.note(request, `${rule}: ${answer.text}`)
      }
      for (const change of beyond) {
        const request = change(baseOf(target, drive.known), drive.known)
        const answer = await drive.send(request)
        if (answer && answer.body.code !== code) {
          drive.note(request, `${rule}: not ${code}, but ${answer.status} ${answer.text}`)
        }
      }
    })
    drive.requireNone()
  })

  it('answer what is no request with a refusal', async () => {
    const broken = drive.targets.flatMap((target) => brokenRequests(target, drive.known))
    await eachOf(broken, async ({ method, path, request, codes }) => {
      const answer = await drive.api.send(method, path, request)
      if (codes.length === 0 || codes.includes(answer.body.code)) return
      throw new Error(`${method} ${path} ${String(request.raw).slice(0, 99)}: ${answer.text}`)
    })
  })

  it(`answer whatever is in them, up to ${total} in all`, async () => {
    const random = randomOf(seed)
    const rest = Math.max(500, total - drive.sent())
    await eachOf(Array.from({ length: rest }), async () => {
      const target = random.pick(drive.targets)
      const request = randomRequest(random, target, drive.known)
      const answer = await drive.send(request)
      const difference = answer && differenceOf(target, request, answer)
      if (difference) drive.note(request, `${difference}: ${answer.text}`)
    })
    drive.requireNone()
    expect(drive.sent()).toBeGreaterThanOrEqual(total)
  })
})

async function isAnsweredAsSaid(target: Target, probe: Probe): Promise<boolean> {
  const { site, value, verdict, constraint } = probe
  const request = withValue(baseOf(target, drive.known, site, value), site, value)
  const answer = await drive.send(request)
  if (!answer) return false
  const isHeader = site.place === 'header' && site.path[0] === 'X-Request-Id'
  const isKept = answer.headers.get('x-request-id') === value
  const isSaid =
    verdict === 'refused'
      ? isRefusedAt(answer, site)
      : isAccepted(answer) && (!isHeader || typeof value !== 'string' || isKept === (verdict === 'accepted'))
  if (!isSaid) {
    drive.note(request, `${constraint}: not ${verdict}, but ${answer.status} ${answer.text}`)
  }
  return isSaid
}

/** Where the service and the document's schema of the body disagree. */
function differenceOf(target: Target, request: FuzzRequest, answer: Answer<any>): string | null {
  // Without an id it is another address.
  const isElsewhere = Object.values(request.parameters).includes('')
  if (!target.takes || !target.schema || isElsewhere) return null
  const body: unknown = JSON.parse(JSON.stringify(request.body ?? null))
  const isTakenAsSent = target.takes(body)
  const isTakenAsRead = target.takes(asRead(drive.document, target.schema, body))
  const faults = (answer.body.detail ?? []) as { loc: unknown[]; type: string }[]
  const strange = faults.some(({ loc, type }) => loc[0] === 'body' && !inWords.has(type))
  if (isTakenAsSent && isTakenAsRead && strange) return 'refuses what the document allows'
  return !isTakenAsRead && isAccepted(answer) ? 'accepts what the document forbids' : null
}

/** Types of faults against rules that no keyword of JSON Schema has. */
const inWords = new Set([
  'email', 'missing', 'number_range', 'object_too_large', 'phone', 'repeated', 'state',
  'string_characters', 'string_length', 'too_deep', 'too_many_locators', 'invalid_key',
])
