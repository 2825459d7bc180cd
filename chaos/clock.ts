// A wall clock that can be put forward and back under running processes, where the library
// faketime is there (Debian's package libfaketime). Time spans stay true, as they do when
// an operator or a time server sets a machine's clock.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Clock = {
  /** For the processes that are to live by this clock. */
  environment: Record<string, string>
  /** Sets it so many seconds off the true time. */
  set(seconds: number): void
}

const libraries = ['x86_64-linux-gnu/', 'aarch64-linux-gnu/', ''].map(
  (folder) => `/usr/lib/${folder}faketime/libfaketimeMT.so.1`,
)

/** Null without the library. */
export function createClock(folder: string): Clock | null {
  const library = libraries.find((path) => existsSync(path))
  if (!library) return null
  const file = join(folder, 'clock')
  const set = (seconds: number): void => writeFileSync(file, seconds < 0 ? String(seconds) : `+${seconds}`)
  set(0)
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      // Seconds until the processes notice.
      FAKETIME_CACHE_DURATION: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
  }
}
