// Holds reference.county_key to every county there is, to hand-written pairs, and to
// arbitrary text. Spellings go to the database by the thousand in one call.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createDatabase, type TestDatabase } from '../setup/database.ts'
import { readCounties, type County } from './census_counties.ts'
import { nothing, otherCounty, sameCounty, words } from './county_key.cases.ts'
import { parted, rewritten, spellings, withNoise } from './county_spellings.ts'

type Spelling = { state: string; county: string }

const counties = readCounties()
let db: TestDatabase

beforeAll(async () => {
  db = await createDatabase()
})
afterAll(() => db.close())

describe('county_key of every county', () => {
  it('differs from the keys of all other counties of its state', async () => {
    const keys = await keysOf(counties.map(({ state, name }) => ({ state, county: name })))
    const owners = Map.groupBy(counties, ({ state }, i) => `${state} ${keys[i]}`)
    const shared = [...owners].filter(([, { length }]) => length > 1)
    expect(counties.length).toBeGreaterThan(3_200)
    expect(keys).not.toContain('')
    expect(shared).toEqual([])
  })

  it('is its own key', async () => {
    const keys = await keysOf(counties.map(({ state, name }) => ({ state, county: name })))
    const again = counties.map(({ state }, i) => ({ state, county: keys[i] ?? 'none' }))
    expect(await keysOf(again)).toEqual(keys)
  })

  it('is the same for its official forms', () => expectOneKey(({ official }) => official))

  it('is the same for every way to write it', () => expectOneKey(spellings))

  it('is the same for every way to write its official forms', async () => {
    await expectOneKey(({ official }) => official.flatMap(rewritten))
  })

  it('is the same with a space at any place in the name', async () => {
    await expectOneKey(({ name }) => parted(name))
  })
})

describe('county_key of places that one has to know', () => {
  it.each(sameCounty)('%s: %s is %s (%s)', async (state, one, other) => {
    const [first, second] = await keysOf([{ state, county: one }, { state, county: other }])
    expect(first).not.toBe('')
    expect(second).toBe(first)
  })

  it.each(otherCounty)('%s: %s is not %s (%s)', async (state, one, other) => {
    const [first, second] = await keysOf([{ state, county: one }, { state, county: other }])
    expect(first).not.toBe('')
    expect(second).not.toBe(first)
  })

  it('keeps null for a county that was not named', async () => {
    const { rows } = await db.owner.query(`select reference.county_key('VA', null) as key`)
    expect(rows).toEqual([{ key: null }])
  })

  it.each(nothing)('%j has an empty key (%s)', async (county) => {
    expect(await keysOf([{ state: 'VA', county }])).toEqual([''])
  })
})

describe('county_key of any text', () => {
  it('has only letters and digits, and few enough for an index', async () => {
    const texts = fc.array(anyText(), { minLength: 100, maxLength: 200 })
    await fc.assert(
      fc.asyncProperty(texts, anyState(), async (some, state) => {
        const keys = await keysOf(some.map((county) => ({ state, county })))
        const odd = keys.filter((key) => !isBareAndShort(key))
        expect(keys).toHaveLength(some.length)
        expect(odd).toEqual([])
      }),
      { numRuns: 20 },
    )
  })

  it('stays short when 120 characters unfold into thousands of letters', async () => {
    const [key] = await keysOf([{ state: 'TX', county: '\ufdfa'.repeat(120) }])
    expect(key).toHaveLength(120)
  })

  it('does not see signs, accents and case strewn into a name', async () => {
    const strewn = fc.constantFrom(...counties).chain(withNoise)
    await fc.assert(
      fc.asyncProperty(fc.array(strewn, { minLength: 50, maxLength: 100 }), async (some) => {
        const clean = some.map(({ state, name }) => ({ state, county: name }))
        const noisy = some.map(({ state, noisy: county }) => ({ state, county }))
        expect(await keysOf(noisy)).toEqual(await keysOf(clean))
      }),
      { numRuns: 20 },
    )
  })

  it('takes no long time over hostile text', async () => {
    const parts = ['cityof', 'countycity', ' co', ' borough', 'the', '\ufdfa', '\u0301', '&']
    const hostile = parts.map((part) => part.repeat(120).slice(0, 120))
    const many = Array.from({ length: 200 }, () => hostile).flat()
    const started = performance.now()
    await keysOf(many.map((county) => ({ state: 'VA', county })))
    // Some 0.05 ms each on two slow cores; a regular expression that backtracks
    // without bounds would take seconds for one.
    expect((performance.now() - started) / many.length).toBeLessThan(2)
  })
})

describe('plain_words', () => {
  it.each(words)('of %j are %j (%s)', async (text, expected) => {
    const { rows } = await db.owner.query('select reference.plain_words($1) as words', [text])
    expect(rows).toEqual([{ words: expected }])
  })
})

async function keysOf(spelled: Spelling[]): Promise<string[]> {
  const { rows } = await db.owner.query<{ key: string }>(
    `select reference.county_key(spelled.state, spelled.county) as key
    from unnest($1::text[], $2::text[]) with ordinality as spelled (state, county, place)
    order by spelled.place`,
    [spelled.map(({ state }) => state), spelled.map(({ county }) => county)],
  )
  return rows.map(({ key }) => key)
}

/** All variants of each county must have the key of its plain name. */
async function expectOneKey(variants: (county: County) => string[]): Promise<void> {
  const asked = counties.flatMap((of) => variants(of).map((county) => ({ of, county })))
  const plain = await keysOf(counties.map(({ state, name }) => ({ state, county: name })))
  const expected = new Map(counties.map(({ fips }, i) => [fips, plain[i]]))
  const keys = await keysOf(asked.map(({ of, county }) => ({ state: of.state, county })))
  const wrong = asked.flatMap(({ of, county }, i) =>
    keys[i] === expected.get(of.fips) ? [] : [`${of.fips} ${of.name}: ${county} → ${keys[i]}`],
  )
  expect(asked.length).toBeGreaterThan(counties.length)
  expect(wrong).toEqual([])
}

const telling = ['city', 'of', 'county', 'co', 'borough', 'the', 'st', ' ', '&', '\ufdfa']

/** PostgreSQL's text has no U+0000. */
const anyText = () =>
  fc
    .oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.string({ unit: fc.constantFrom(...telling) }),
    )
    .map((text) => text.replaceAll('\0', ''))

const anyState = () => fc.constantFrom('VA', 'AK', 'VI', 'AS', 'DC', 'PR', 'TX', 'no state')

const isBareAndShort = (key: string) =>
  /^[^\s\p{P}A-Z]*$/u.test(key) && [...key].length <= 120 + 'city'.length
