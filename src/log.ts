// The log: JSON lines on standard error, so that standard output is for people.
// It never holds a key, a body, a note or anybody's name.
import pino, { type Logger } from 'pino'

export function createLog(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))
}
