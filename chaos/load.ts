// A partner's calls at a steady rate, whatever the answers, and a ledger of what they were
// told: so that afterwards each promise can be checked.
import { setTimeout as sleep } from 'node:timers/promises'
import { quoteRequest } from '../test/setup/catalogue.ts'

/** A request that asks for something to be kept; the name is in it, and is its key. */
type Write = { kind: 'quotes' | 'organizations'; name: string }

export type Answer = {
  /** Milliseconds, of performance.now(). */
  startedAt: number
  endedAt: number
  /** 0: no answer came. */
  status: number
  /** What is wrong with it, if something is. */
  fault: string | undefined
  write: Write | undefined
}

export type Ledger = {
  answers: Answer[]
  /** What was answered with 2xx: kind and id. */
  promised: Map<string, Write>
  /** What wasn't: nobody knows whether it was kept. */
  unsure: Write[]
}

export type Load = {
  ledger: Ledger
  /** Sends what nobody knows of again, and gives what went wrong with it. */
  repeat(): Promise<string[]>
  /** Ends it once every request is answered. */
  stop(): Promise<void>
}

export type Target = { url: () => string; key: string }

/** A caller gives up then: an answer that slow is no answer. */
const patienceMs = 30_000

let serial = 0

export function startLoad(target: Target, perSecond: number): Load {
  const ledger: Ledger = { answers: [], promised: new Map(), unsure: [] }
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()

  const run = async (): Promise<void> => {
    const begin = performance.now()
    for (let sent = 0; !stopping.signal.aborted; sent += 1) {
      const wait = begin + (sent * 1000) / perSecond - performance.now()
      if (wait > 0) await sleep(wait)
      const one = send(target, ledger, sent).finally(() => running.delete(one))
      running.add(one)
    }
    await Promise.all(running)
  }
  const done = run()

  return {
    ledger,
    repeat: async () => {
      const faults: string[] = []
      for (const write of ledger.unsure.splice(0)) {
        const answer = await post(target, ledger, write)
        if (answer.status >= 300 || answer.status === 0) faults.push(`repeated ${write.kind}: ${answer.status}`)
      }
      return faults
    },
    stop: async () => {
      stopping.abort()
      await done
    },
  }
}

// Of ten requests four ask for a quote and one brings an organization; the others read.
async function send(target: Target, ledger: Ledger, turn: number): Promise<void> {
  const name = `chaos-${process.pid}-${(serial += 1)}`
  if (turn % 10 < 4) {
    ledger.answers.push(await post(target, ledger, { kind: 'quotes', name }))
  } else if (turn % 10 < 5) {
    ledger.answers.push(await post(target, ledger, { kind: 'organizations', name }))
  } else {
    const [last] = [...ledger.promised.keys()].slice(-1)
    const path = turn % 2 === 0 || !last?.startsWith('quotes/') ? 'products' : last
    ledger.answers.push(await call(target, path))
  }
}

async function post(target: Target, ledger: Ledger, write: Write): Promise<Answer> {
  const { kind, name } = write
  const body =
    kind === 'quotes'
      ? quoteRequest({ external_reference: name })
      : { external_reference: name, name, client_type: 'lender' }
  const answer = await call(target, kind, { body: JSON.stringify(body), name })
  if (answer.id !== undefined) ledger.promised.set(`${kind}/${answer.id}`, write)
  else ledger.unsure.push(write)
  return { ...answer, write }
}

/** One request: never throws. */
export async function call(
  { url, key }: Target,
  path: string,
  sent?: { body: string; name: string },
): Promise<Answer & { id?: string }> {
  const startedAt = performance.now()
  const ended = (status: number, fault?: string, id?: string): Answer & { id?: string } => ({
    startedAt,
    endedAt: performance.now(),
    status,
    fault,
    write: undefined,
    ...(id === undefined ? {} : { id }),
  })
  try {
    const response = await fetch(`${url()}/public/v1/${path}`, {
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        ...(sent ? { 'Idempotency-Key': sent.name } : {}),
      },
      ...(sent ? { method: 'POST', body: sent.body } : {}),
      signal: AbortSignal.timeout(patienceMs),
    })
    const text = await response.text()
    if (response.ok) return ended(response.status, undefined, sent && (JSON.parse(text) as { id: string }).id)
    return ended(response.status, faultOf(response, text))
  } catch (error) {
    const { message, cause } = error as Error
    return ended(0, `${message}: ${(cause as Error | undefined)?.message ?? ''}`)
  }
}

// Whoever is refused must be able to know why, and when to come again.
function faultOf(response: Response, text: string): string | undefined {
  if (response.status !== 503) return `status ${response.status}: ${text.slice(0, 200)}`
  if (!Number(response.headers.get('retry-after'))) return '503 without Retry-After'
  try {
    const { code, message, request_id } = JSON.parse(text) as Record<string, unknown>
    if (code === 'service_unavailable' && message && request_id) return undefined
  } catch {
    // Below.
  }
  return `503 without the envelope: ${text.slice(0, 200)}`
}
