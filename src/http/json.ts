// JSON in without loss: a number that a double can't hold exactly keeps its digits, so
// that metadata is stored as it was sent, and a field that wants an integer refuses it
// rather than rounding.

declare global {
  interface JSON {
    /** In V8, not yet in TypeScript's library: a value printed as the text it is made of. */
    rawJSON(text: string): unknown
    isRawJSON(value: unknown): boolean
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
  }
}

// A double holds 15 digits whatever they are, and exponents of two digits.
const mayLosePrecision = /\d{16}|[\d.]{17}|\d[eE][+-]?\d{3}/

// Longer than any number that a double can print: not worth comparing.
const longestExact = 400

/** Parses JSON text. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  return mayLosePrecision.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
}

function keepDigits(_key: string, value: unknown, context: { source?: string }): unknown {
  const { source } = context
  if (typeof value !== 'number' || source === undefined) return value
  const isExact = source.length <= longestExact && decimal(source) === decimal(String(value))
  return isExact ? value : exactNumber(source)
}

// A function, because no schema takes one for anything, an object least of all, and JSON
// prints it by its toJSON like any value.
const exactNumber = (source: string): unknown =>
  Object.assign(() => source, { toJSON: () => JSON.rawJSON(source) })

/** Whether a parsed value is a number that a double can't hold. */
export const isExactNumber = (value: unknown): boolean => typeof value === 'function'

/** Sign, digits and exponent of a number, the same for every way to write it. */
function decimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const trailing = digits.length - significant.length
  return `${sign}${significant}e${Number(exponent) - fraction.length + trailing}`
}
