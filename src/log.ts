// The log: JSON lines on standard error, so that standard output is for people.
// It never holds a key, a body, a note or anybody's name.
import pino, { type Logger } from 'pino'

export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError, error: describeError },
    },
    writtenTogether(),
  )
}

// Lines leave together: under load, writes one by one are a seventh of the work. Whatever kills
// the process, signals apart that it hears, takes the last few lines with it.
const gatherMs = 10
const stderr = 2

function writtenTogether(): pino.DestinationStream {
  const destination = pino.destination(stderr)
  let lines = ''
  const flush = (): void => {
    if (lines !== '') destination.write(lines)
    lines = ''
  }
  // The destination writes in the background, for which it is too late at the end; what it
  // had before, it writes by itself then.
  process.on('exit', () => {
    if (lines !== '') pino.destination({ dest: stderr, sync: true }).write(lines)
  })
  return {
    write: (line) => {
      if (lines === '') setTimeout(flush, gatherMs)
      lines += line
    },
  }
}

type Fault = { name?: string; code?: string; message?: string; where?: string; stack?: string }

/**
 * What the log may say of an error. PostgreSQL's detail and hint hold the values of
 * rows, and so do its messages on values that it can't read, so they stay out.
 */
export function describeError(error: unknown): Record<string, string | undefined> {
  const { name, code, message, where, stack } = (error ?? {}) as Fault
  const isAboutValue = /^2[23][0-9A-Z]{3}$/.test(code ?? '')
  return {
    name,
    code,
    message: isAboutValue ? 'a value was refused' : (message ?? String(error)),
    where: where && placesOf(where),
    stack: code ? undefined : stack,
  }
}

// Lines that name a function; others quote what was sent, or the text of a statement.
const placesOf = (where: string): string =>
  where
    .split('\n')
    .filter((line) => /^(PL\/pgSQL|SQL) function /.test(line))
    .join('\n')
