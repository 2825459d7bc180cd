// What every scanner is to the rest: a function that says clean, or which rule a file met,
// or fails. There is no third answer: a scanner that can't tell has failed, and a file
// without a verdict of every scanner isn't attached.
import { ApiError } from '../http/errors.ts'
import type { ContentType } from './file_type.ts'

export type ScannedFile = {
  /** In shared memory, and not to be changed. */
  bytes: Buffer
  contentType: ContentType
}

/** A scanner's own account of itself, stored with every document. */
export type Engine = {
  engine: string
  engine_version: string
  /** What it looked for; null when the engine doesn't say. */
  signature_version: string | null
}

/** rule is null when the file is clean. */
export type Verdict = Engine & { rule: string | null }

export type Scanner = {
  /** Throws when it has no verdict, for whatever reason. */
  scan(file: ScannedFile): Promise<Verdict>
  /** Throws when it could give none now. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type Rejection = Engine & { rule: string }

/** The first verdict against the file, or all of those for it. Throws 503 when one is missing. */
export async function scanAll(
  scanners: Scanner[],
  file: ScannedFile,
): Promise<{ rejection: Rejection } | { rejection: null; verdicts: Engine[] }> {
  const outcomes = await Promise.allSettled(scanners.map((scanner) => scanner.scan(file)))
  const verdicts = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  for (const { rule, ...engine } of verdicts) {
    if (rule !== null) return { rejection: { ...engine, rule } }
  }
  const failed = outcomes.find((one) => one.status === 'rejected')
  if (failed || verdicts.length === 0) throw scannerUnavailable(failed?.reason)
  return { rejection: null, verdicts: verdicts.map(({ rule: _clean, ...engine }) => engine) }
}

/** Seconds: a scanner that restarts needs some to load its signatures. */
const retryAfterSeconds = '10'

const scannerUnavailable = (cause: unknown): ApiError =>
  new ApiError(
    'scanner_unavailable',
    'The file could not be scanned now, so it is not attached. Try again shortly.',
    { headers: { 'Retry-After': retryAfterSeconds }, cause },
  )
