// Which processes use a folder's server, as one file a process. The file of a
// process that died counts for nothing, so a kill leaves no lease behind.
import { closeSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Leases = {
  take(): void
  drop(): void
  /** How many other living processes hold a lease. */
  others(): number
  /** Runs work while no other process runs its own. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

const own = String(process.pid)

export function leases(folder: string): Leases {
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, 'lock')
  return {
    take: () => closeSync(openSync(join(folder, own), 'w')),
    drop: () => rmSync(join(folder, own), { force: true }),
    others: () =>
      readdirSync(folder).filter((name) => name !== own && /^\d+$/.test(name) && isAlive(name))
        .length,
    exclusively: async (work) => {
      while (!tryLock(lock)) await sleep(50)
      try {
        return await work()
      } finally {
        rmSync(lock, { force: true })
      }
    },
  }
}

function tryLock(lock: string): boolean {
  try {
    const file = openSync(lock, 'wx')
    writeSync(file, own)
    closeSync(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (!isAlive(readHolder(lock))) rmSync(lock, { force: true })
    return false
  }
}

// A lock just made may not hold its number yet: then it is somebody's.
function readHolder(lock: string): string {
  try {
    return readFileSync(lock, 'utf8') || own
  } catch {
    return own
  }
}

function isAlive(pid: string): boolean {
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
