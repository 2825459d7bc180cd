// JSON in without loss: a number that a double can't hold exactly keeps its digits as
// raw JSON, so that metadata is stored as it was sent, and a field that wants an
// integer refuses it rather than rounding.

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

const mayLosePrecision = /\d{16}|\d[eE][+-]?\d{3}/

/** Parses JSON text. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  return mayLosePrecision.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
}

function keepDigits(_key: string, value: unknown, context: { source?: string }): unknown {
  const { source } = context
  if (typeof value !== 'number' || source === undefined) return value
  const isExact = Number.isSafeInteger(value) || String(value) === source
  return isExact ? value : JSON.rawJSON(source)
}
