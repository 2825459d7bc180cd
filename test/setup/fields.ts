// Values that fields of requests must take or refuse, so that each rule of the contract
// is tried on each field that has it, from both sides.

export type TextField = {
  /** Where it stands in the body: subject.line1 */
  at: string
  max: number
  isRequired: boolean
}

/** A value, what it is called in a test's name, and what becomes of it. */
export type Case = [label: string, value: unknown, outcome: string | null]

// Two UTF-16 units and four bytes of UTF-8, but one character.
const astral = '\u{1f3e0}'

/** Values that a text field takes, with what is stored. */
export function takenTexts({ max, isRequired }: TextField): Case[] {
  const empty: Case[] = [
    ['null', null, null],
    ['nothing', undefined, null],
    ['an empty string', '', null],
    ['white space', ' \t\u00a0\u2003\n', null],
  ]
  return [
    ['one character', 'x', 'x'],
    [`${max} characters`, 'x'.repeat(max), 'x'.repeat(max)],
    [`${max} beyond the basic plane`, astral.repeat(max), astral.repeat(max)],
    ['white space around it', ` \t${'x'.repeat(max)}\u00a0\n`, 'x'.repeat(max)],
    ['quotes and markup', `'"\\<b>--`.slice(0, max), `'"\\<b>--`.slice(0, max)],
    ...(isRequired ? [] : empty),
  ]
}

/** Values that a text field refuses, with the type of the fault. */
export function refusedTexts({ max, isRequired }: TextField): Case[] {
  const empty: Case[] = [
    ['null', null, 'string_type'],
    ['nothing', undefined, 'missing'],
    ['an empty string', '', 'string_too_short'],
    ['white space', ' \t\u00a0\u2003\n', 'string_too_short'],
  ]
  return [
    [`${max + 1} characters`, 'x'.repeat(max + 1), 'string_too_long'],
    [`${max + 1} beyond the basic plane`, astral.repeat(max + 1), 'string_too_long'],
    ['U+0000', 'a\0b', 'string_characters'],
    ['a lone high surrogate', 'a\ud83c', 'string_characters'],
    ['a lone low surrogate', '\udfe0a', 'string_characters'],
    ['a number', 5, 'string_type'],
    ['true', true, 'string_type'],
    ['a list', ['x'], 'string_type'],
    ['an object', { x: 1 }, 'string_type'],
    ...(isRequired ? empty : []),
  ]
}

/** Spellings of (626) 555-0123. */
export const phoneSpellings = [
  '(626) 555-0123', '(626)555-0123', '626-555-0123', '626.555.0123', '626 555 0123', '6265550123',
  '+1 (626) 555-0123', '+16265550123', '+1-626-555-0123', '1-626-555-0123', '1 626 555 0123',
  '16265550123', '1.626.555.0123', '  626-555-0123  ', '626\u2013555\u20110123',
  '626\u00a0555\u00a00123', '+1 626/555-0123',
]

export const notPhones = [
  '555-0123', '626-555-012', '626-555-01234', '26265550123', '+44 20 7946 0958', '+2 626 555 0123',
  '(126) 555-0123', '(026) 555-0123', '626-155-0123', '626-055-0123', '626-555-0123 x5',
  'call 626-555-0123', '626-555-O123', '------', '626-555-0123'.padEnd(41, '.'), 'a\0b',
]

export const emails = [
  'jane@example.com', 'Jane.Doe+Tag@Sub.Example.CO.UK', `o'neil_1-2@ex-ample.com`, 'a@b.io',
  'jane@m\u00fcnchen.de', '\u7528\u6237@\u4f8b\u5b50.\u516c\u53f8', `${'a'.repeat(64)}@example.com`,
  `${'a'.repeat(64)}@${'b.'.repeat(93)}com`,
]

export const notEmails = [
  'jane', 'jane@', '@example.com', 'jane@example', 'jane doe@example.com', 'jane@exam ple.com',
  'jane@example..com', 'jane@.example.com', 'jane@example.com.', '.jane@example.com',
  'jane.@example.com', 'ja..ne@example.com', 'jane@@example.com', 'jane@example@com.com',
  'jane@example.com,joe@example.com', '<jane@example.com>', 'Jane <jane@example.com>',
  'mailto:jane@example.com', 'jane@example.c', 'jane\u0001@example.com', 'jane@exa\u200bmple.com',
  `${'a'.repeat(65)}@example.com`,
]

/** A copy of a body with one field set, or left out when the value is undefined. */
export function withField(body: unknown, at: string, value: unknown): unknown {
  const [name = '', ...rest] = at.split('.')
  const { [name]: part, ...others } = (body ?? {}) as Record<string, unknown>
  const changed = rest.length > 0 ? withField(part, rest.join('.'), value) : value
  return changed === undefined ? others : { ...others, [name]: changed }
}

export const fieldOf = (body: any, at: string): unknown =>
  at.split('.').reduce((part, name) => part?.[name], body)

/** `loc` of a field of the body. */
export const placeOf = (at: string): string[] => ['body', ...at.split('.')]
