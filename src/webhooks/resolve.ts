// Finds the addresses of a webhook's host. The system's own resolver runs on four
// threads that the whole process shares: four names whose servers don't answer would
// hold up every other endpoint. So names are asked for over the network without a
// thread, and the system is asked only for what it knows itself: names of its hosts
// file, and those that no server has but a search domain may.
import { Resolver, lookup } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { readFileSync } from 'node:fs'

/** All addresses of a name. Replaceable, so that a test can be a hostile name server. */
export type Resolve = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

type Answer = { error: NodeJS.ErrnoException | null; addresses: LookupAddress[] }

/** A server that takes longer than two of these, one doubled, counts as silent. */
const timeoutMs = 1500
const tries = 2
const hostsLifeMs = 60_000
const hostsFile =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

/** The resolver of a process. `servers` replaces those of the system. */
export function createResolve(servers?: string[]): Resolve {
  const resolver = new Resolver({ timeout: timeoutMs, tries })
  if (servers) resolver.setServers(servers)
  const knowsItself = hostsReader()

  return (hostname, callback) => {
    if (knowsItself(hostname)) return askSystem(hostname, callback)
    askServers(resolver, hostname, ({ error, addresses }) => {
      if (addresses.length > 0) return callback(null, addresses)
      if (isUnknown(error)) return askSystem(hostname, callback)
      callback(error, [])
    })
  }
}

const askSystem: Resolve = (hostname, callback) => {
  lookup(hostname, { all: true, verbatim: true }, callback)
}

function askServers(resolver: Resolver, hostname: string, done: (answer: Answer) => void): void {
  const answers: Answer[] = []
  const collect = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, found: string[]) => {
    answers.push({ error, addresses: error ? [] : found.map((address) => ({ address, family })) })
    if (answers.length < 2) return
    // A name of one family only has an error for the other.
    const serious = answers.find((answer) => answer.error && !isUnknown(answer.error))
    done({
      error: serious?.error ?? answers[0]?.error ?? null,
      addresses: answers.flatMap((answer) => answer.addresses),
    })
  }
  resolver.resolve4(hostname, collect(4))
  resolver.resolve6(hostname, collect(6))
}

// The servers answered, and have no such name or address.
const isUnknown = (error: NodeJS.ErrnoException | null): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes(error?.code ?? 'ENODATA')

function hostsReader(): (hostname: string) => boolean {
  let names = new Set<string>()
  let readAt = Number.NEGATIVE_INFINITY
  return (hostname) => {
    if (performance.now() - readAt > hostsLifeMs) {
      names = readHosts()
      readAt = performance.now()
    }
    return names.has(hostname.toLowerCase())
  }
}

function readHosts(): Set<string> {
  try {
    const lines = readFileSync(hostsFile, 'utf8').split('\n')
    return new Set(lines.flatMap((line) => line.replace(/#.*/, '').toLowerCase().split(/\s+/).slice(1)))
  } catch {
    return new Set()
  }
}
