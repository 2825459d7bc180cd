// The log: JSON lines on standard error, so that standard output is for people.
// It never holds a key, a body, a note or anybody's name.
import pino, { type Logger } from 'pino'

export function createLog(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))
}

type Fault = { name?: string; code?: string; message?: string; where?: string; stack?: string }

/**
 * What the log may say of an error. PostgreSQL's detail and hint hold the values of
 * rows, so they stay out.
 */
export function describeError(error: unknown): Record<string, string | undefined> {
  const { name, code, message, where, stack } = (error ?? {}) as Fault
  return { name, code, message: message ?? String(error), where, stack: code ? undefined : stack }
}
