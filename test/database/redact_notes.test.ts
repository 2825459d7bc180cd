// Holds app.redact_notes to wordings by the hundred, to arbitrary text, and to text
// that was made to keep it busy. Notes go to the database in one call a table.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createDatabase, type TestDatabase } from '../setup/database.ts'
import { kept, mixed, removed } from './redact_notes.cases.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await createDatabase()
})
afterAll(() => db.close())

async function redact(notes: readonly string[]): Promise<(string | null)[]> {
  const { rows } = await db.owner.query<{ redacted: string | null }>(
    `select app.redact_notes(note) as redacted
    from unnest($1::text[]) with ordinality as notes (note, place)
    order by place`,
    [notes],
  )
  return rows.map(({ redacted }) => redacted)
}

const pairs = async (notes: readonly string[]): Promise<[string, string | null][]> =>
  (await redact(notes)).map((redacted, i) => [notes[i] ?? '', redacted])

describe('redact_notes removes', () => {
  it.each(removed)('%s', async (_reason, notes) => {
    expect(await pairs(notes)).toEqual(notes.map((note) => [note, null]))
  })

  it('every kind of value with every dash and space', async () => {
    const kinds = [
      'estimated', 'Est.', 'ASSESSED', 'appraised', 'market', 'Mkt.', 'fair market', 'taxable',
      'as-is', 'as\u2013is', 'after-repair', 'After Repaired',
    ]
    const gaps = [
      ' ', '  ', '\t', '\n', '\r\n', '\u00a0', '\u2009', '\u200b', '\u202f', '\u3000',
      '-', '\u2010', '\u2011', '\u2013', ' \u2014 ', '\u2212', '/', '_',
    ]
    const notes = kinds.flatMap((kind) =>
      gaps.flatMap((gap) =>
        ['value', 'Values', 'VALUE', 'val.'].map(
          (noun) => `Call first. The ${kind}${gap}${noun} is $1.2 million. Dog inside.`,
        ),
      ),
    )
    const left = (await pairs(notes)).filter(([, redacted]) => redacted !== 'Call first. Dog inside.')
    expect(left).toEqual([])
  })

  it('the same wordings in capitals', async () => {
    const notes = removed.flatMap(([, some]) => some).map((note) => note.toUpperCase())
    const left = (await pairs(notes)).filter(([, redacted]) => redacted !== null)
    expect(left).toEqual([])
  })

  it('the same wordings as list lines', async () => {
    const notes = removed.flatMap(([, some]) => some)
    const lists = notes.map((note) => `- Call first\n- ${note}\n- Dog inside`)
    const left = (await pairs(lists)).filter(
      ([, redacted]) => redacted !== '- Call first\n- Dog inside',
    )
    expect(left).toEqual([])
  })

  it('the same wordings as paragraphs', async () => {
    const notes = removed.flatMap(([, some]) => some)
    const lists = notes.map((note) => `Call first.\n\n${note}\n\nDog inside.`)
    const left = (await pairs(lists)).filter(
      ([, redacted]) => redacted !== 'Call first.\n\nDog inside.',
    )
    expect(left).toEqual([])
  })
})

describe('redact_notes does NOT touch', () => {
  it.each(kept)('%s', async (_reason, notes) => {
    expect(await pairs(notes)).toEqual(notes.map((note) => [note, note]))
  })

  it('all of these in one note', async () => {
    const note = kept.flatMap(([, notes]) => notes).join('\n\n')
    expect(await redact([note])).toEqual([note])
  })

  it('a note that is null', async () => {
    const { rows } = await db.owner.query('select app.redact_notes(null) as redacted')
    expect(rows).toEqual([{ redacted: null }])
  })
})

describe('redact_notes cuts a note where', () => {
  it.each(mixed)('%s', async (_reason, cases) => {
    expect(await pairs(cases.map(([note]) => note))).toEqual(cases)
  })
})

describe('redact_notes of any text', () => {
  it('gives the same when it is done again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyNote(), { minLength: 50, maxLength: 100 }), async (notes) => {
        const once = await redact(notes)
        const left = once.filter((note) => note !== null)
        expect(await redact(left)).toEqual(left)
      }),
      { numRuns: 20 },
    )
  })

  it('leaves text alone that has no word of value in it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(innocentNote(), { minLength: 50, maxLength: 100 }), async (notes) => {
        expect(await redact(notes)).toEqual(notes)
      }),
      { numRuns: 20 },
    )
  })

  it('leaves arbitrary characters alone that spell no word', async () => {
    const text = fc.array(fc.string({ unit: 'binary', maxLength: 60 }).map(withoutWords))
    await fc.assert(
      fc.asyncProperty(text, async (notes) => {
        const found = await redact(notes)
        expect(found.map((note) => note ?? '')).toEqual(
          notes.map((note, i) => (found[i] === null ? '' : note)),
        )
        expect(notes.filter((note, i) => found[i] === null && /[^\s\p{C}]/u.test(note))).toEqual([])
      }),
      { numRuns: 20 },
    )
  })

  it('finds a guilty sentence wherever it was wrapped', async () => {
    const wrapped = guiltySentences.flatMap((guilty) => {
      const words = guilty.split(/\s/)
      return words
        .slice(1)
        .map((_, i) => `${words.slice(0, i + 1).join(' ')}\n${words.slice(i + 1).join(' ')}`)
    })
    const notes = wrapped.map((guilty) => `Call first. ${guilty} Dog inside!`)
    const left = (await pairs(notes)).filter(([, redacted]) => redacted !== 'Call first. Dog inside!')
    expect(left).toEqual([])
  })

  it('lets no figure through, however a guilty sentence was wrapped and typed', async () => {
    const typed = [(text: string) => text.toUpperCase(), (text: string) => text.toLowerCase()]
    const notes = guiltySentences.flatMap((guilty) =>
      [...guilty.matchAll(/\s/g)].flatMap(({ index }) =>
        typed.map((type) => type(`Call first\n${guilty.slice(0, index)}\r\n${guilty.slice(index + 1)}\nDog`)),
      ),
    )
    const left = (await pairs(notes)).filter(
      ([, redacted]) => /\d/.test(redacted ?? '') || !/^call first\n(.*\n)*dog$/is.test(redacted ?? ''),
    )
    expect(left).toEqual([])
  })

  it('takes a guilty sentence out of any place, and nothing else', async () => {
    const placed = fc.tuple(
      fc.array(fc.constantFrom(...innocentSentences), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...guiltySentences),
      fc.nat(),
      fc.constantFrom(' ', '\n', '\n\n', '\r\n', '  '),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(placed, { minLength: 30, maxLength: 60 }), async (all) => {
        const whole = all.map(([some, guilty, at, gap]) =>
          some.toSpliced(at % (some.length + 1), 0, guilty).join(gap),
        )
        expect(await redact(whole)).toEqual(all.map(([some, , , gap]) => some.join(gap)))
      }),
      { numRuns: 20 },
    )
  })
})

describe('is_plain_note', () => {
  const plain = async (notes: readonly string[]): Promise<string[]> => {
    const { rows } = await db.owner.query<{ note: string }>(
      'select note from unnest($1::text[]) as note where app.is_plain_note(note)',
      [notes],
    )
    return rows.map(({ note }) => note)
  }

  it('says yes to small talk', async () => {
    const notes = [
      'Please call before the visit.', 'Dog inside!', 'The borrower\'s gate is open, isn\'t it?',
      'Call first.\r\nLockbox on the back door', 'A tenant lives there.',
    ]
    expect(await plain(notes)).toEqual(notes)
  })

  it('says no to each word that counts for a value or a figure', async () => {
    const { rows } = await db.owner.query<{ word: string }>(
      `select word from jsonb_each_text(app.note_vocabulary()) as entry (word, sign)
      where sign ~ '[vundwztasemV]'`,
    )
    const notes = rows.flatMap(({ word }) => [word, `Call ${word} first`, `${word.toUpperCase()}'s`])
    expect(rows.length).toBeGreaterThan(60)
    expect(await plain(notes)).toEqual([])
  })

  it('says no to every guilty sentence', async () => {
    expect(await plain(guiltySentences)).toEqual([])
    expect(await plain(removed.flatMap(([, notes]) => notes))).toEqual([])
  })

  // Words of all signs, in the forms that the folding knows.
  it('says yes to nothing that a full reading takes a part of', async () => {
    const { rows } = await db.owner.query<{ word: string }>(
      `select jsonb_object_keys(app.note_vocabulary()) as word`,
    )
    const vocabulary = rows.map(({ word }) => word).filter((word) => /^[a-z]+$/.test(word))
    const word = fc.oneof(
      fc.constantFrom(...vocabulary),
      fc.constantFrom('price', 'as is', 'opinion', 'realtor', 'homes', 'com', 'comparative', 'five', 'figures'),
      fc.constantFrom('v', 'a', 'm', 'l', 'u', 'e', 'va', 'lue', 'wor', 'th', 'a\'s', 'val\'ue', 'market\'s'),
      fc.constantFrom('call', 'visit', 'gate', 'don\'t', 'lockbox'),
    )
    const gap = fc.constantFrom(' ', ' ', ' ', ', ', '. ', '? ', '! ', '\n', '\r\n', '.', '\n\n')
    const typed = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      (text: string) => text.charAt(0).toUpperCase() + text.slice(1),
    )
    const note = fc
      .array(fc.tuple(word, gap, typed), { minLength: 1, maxLength: 8 })
      .map((parts) => parts.map(([text, blank, type]) => type(text) + blank).join(''))
    let found = 0
    await fc.assert(
      fc.asyncProperty(fc.array(note, { minLength: 200, maxLength: 300 }), async (notes) => {
        const { rows } = await db.owner.query<{ note: string; read: string }>(
          `select note, app.redact_notes_once(note) as read
          from unnest($1::text[]) as note where app.is_plain_note(note)`,
          [notes],
        )
        found += rows.length
        expect(rows.filter(({ note, read }) => note !== read)).toEqual([])
      }),
      { numRuns: 20 },
    )
    expect(found).toBeGreaterThan(100)
  })
})

describe('redact_notes of text that was made to keep it busy', () => {
  const length = 10_000
  const filled = (text: string): string => text.repeat(Math.ceil(length / text.length)).slice(0, length)

  it.each([
    'a', 'a ', 'a\n', 'ab. ', 'est. ', 'value ', 'val\n', 'AVM. ', 'great value ', '\n', ' ',
    '\u200b', '1', '1.', '1 ', '$450,000 ', '555-123-4567 ', '#1', 'a@', 'ab.Ab', '- a\n', '? ',
    'v\u0301', '\ufdfa', 'what is it worth ', 'estimated\nmarket\n', 'market\n- AVM\n',
  ])('%j ends soon', async (text) => {
    const client = await db.owner.connect()
    try {
      await client.query(`set statement_timeout = '5s'`)
      const { rowCount } = await client.query('select app.redact_notes($1)', [filled(text)])
      expect(rowCount).toBe(1)
    } finally {
      await client.query('reset statement_timeout')
      client.release()
    }
  })
})

describe('tg_redact__notes', () => {
  it('redacts what is written, whoever writes', async () => {
    const client = await db.owner.connect()
    try {
      await client.query('create temporary table remarks (notes text)')
      await client.query(
        `create trigger _100_redact before insert or update on remarks
        for each row execute function app.tg_redact__notes()`,
      )
      await client.query(`insert into remarks values ('Call first. Est. value 450k.')`)
      const inserted = await client.query('select notes from remarks')
      expect(inserted.rows).toEqual([{ notes: 'Call first.' }])
      const updated = await client.query(`update remarks set notes = 'AVM 450k' returning notes`)
      expect(updated.rows).toEqual([{ notes: null }])
    } finally {
      client.release()
    }
  })
})

const innocentSentences = [
  'Call first.', 'Gate code is 1234.', 'The fee is $450.', 'Is it vacant?', 'Dog inside!',
  'Loan amount is $300,000.', 'We value your business.', 'Meet Mr. Smith at 12 Oak Street.',
  'The home is in Fort Worth, TX 76102.', 'Estimated delivery is Friday.',
]

const guiltySentences = [
  'The estimated value is $450,000.', 'Zillow says 455k.', 'What is the house worth?',
  'It appraised for $410,000 in 2019.', 'ARV is approx. $1.2 million!', 'The as-is\nvalue is 430k.',
  'Tax assessment: 320,000.', 'Owner thinks it is worth\n$450,000 as is.',
  'The county has assessed the home at $320,000.', 'Value is estimated at 450k by an agent.',
  'We were told that the house was valued at 450k in May.', 'The broker price opinion is $440,000.',
]

/** Words of the trade, marks and any character, thrown together. */
function anyNote(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.constantFrom(
      'estimated', 'market', 'value', 'worth', 'the house', 'is', 'at', '450k', '$450,000', '450',
      'appraisal', 'AVM', 'Zillow', 'as-is', 'est.', 'Call', 'first', 'loan', 'that', 'tax',
      'assessed', 'great', 'opinion of',
    ),
    fc.constantFrom(' ', ' ', ' ', '\n', '\n\n', '. ', '.', ', ', ': ', '\n- ', '\n1. ', '-', '\u00a0', '? '),
    fc.string({ unit: 'grapheme', maxLength: 5 }),
    fc.string({ unit: 'binary', maxLength: 5 }).map(storable),
  )
  return fc.array(piece, { maxLength: 40 }).map((some) => some.join(''))
}

function innocentNote(): fc.Arbitrary<string> {
  const word = fc.constantFrom(
    'call', 'Borrower', 'gate', 'CODE', '1234', 'fee', '$450', 'dog', 'inside', 'ladder', '5/12',
    'key', 'Mr.', 'Smith', 'No.', '12', 'the', 'is', 'and', 'naïve', '日本',
  )
  const gap = fc.constantFrom(' ', ' ', '  ', '\n', '\n\n', '\r\n', '. ', ', ', '! ', '\n- ', '\t', '\u00a0')
  return fc
    .array(fc.tuple(word, gap), { minLength: 1, maxLength: 30 })
    .map((some) => some.flat().join(''))
}

// PostgreSQL stores neither NUL nor halves of a surrogate pair.
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '')

// No letter or digit, in whatever alphabet it looks like one.
const withoutWords = (text: string): string => storable(text).replaceAll(/[\p{L}\p{N}\p{So}]/gu, '')
