// How far a run has come, in a file beside the CSV. It is replaced in one step after each
// batch, so that a kill at any moment leaves the old one or the new one, and never half.
import { createHash, randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import type { RowError } from './directory.ts'

export type Journal = {
  /** Part of every Idempotency-Key, so that a run that goes on repeats its keys. */
  run: string
  /** What is synchronised: another input is another run. */
  input: string
  /** Rows that are done with, from the first on. */
  done: number
  created: number
  updated: number
  errors: RowError[]
}

export const inputOf = (...parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/** The journal of a run that was cut off, or a new one. */
export async function openJournal(path: string, input: string): Promise<Journal> {
  const found = await readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as Journal,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )
  return found?.input === input
    ? found
    : { run: randomUUID(), input, done: 0, created: 0, updated: 0, errors: [] }
}

export const saveJournal = (path: string, journal: Journal): Promise<void> =>
  replaceFile(path, JSON.stringify(journal))

export const removeJournal = (path: string): Promise<void> => rm(path, { force: true })

/** Writes a file beside, and puts it in its place once it is on the disk. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const beside = `${path}.new`
  const file = await open(beside, 'w')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(beside, path)
}
