// Sends requests at a steady rate from threads of their own, and tells how long they took.
// Open loop: a slow answer delays no later request, and so hides nothing.
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './statistics.ts'

export type Load = {
  url: string
  headers: Record<string, string>
  /** Posted one after another; without any it is a GET. */
  bodies?: string[]
  perSecond: number
  seconds: number
}

export type Outcome = { p50: number; p95: number; max: number; statuses: Record<string, number> }

/** Runs loads side by side. Milliseconds. */
export function runLoad(loads: Load[]): Promise<Outcome[]> {
  return Promise.all(
    loads.map(
      (load) =>
        new Promise<Outcome>((resolve, reject) => {
          const worker = new Worker(new URL(import.meta.url), { workerData: load })
          worker.once('message', resolve)
          worker.once('error', reject)
        }),
    ),
  )
}

// Threads cost more to start than to run.
const startMs = 1000

async function send({ url, headers, bodies = [], perSecond, seconds }: Load): Promise<Outcome> {
  const times: number[] = []
  const statuses: Record<string, number> = {}
  const begin = performance.now() + startMs
  const one = async (body: string | undefined): Promise<void> => {
    const started = performance.now()
    const response = await fetch(url, body === undefined ? { headers } : { method: 'POST', headers, body })
    await response.arrayBuffer()
    times.push(performance.now() - started)
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
  }
  const running: Promise<void>[] = []
  for (let sent = 0; sent < perSecond * seconds; sent += 1) {
    const wait = begin + (sent * 1000) / perSecond - performance.now()
    if (wait > 0) await sleep(wait)
    running.push(one(bodies[sent % bodies.length]))
  }
  await Promise.all(running)
  times.sort((a, b) => a - b)
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), max: percentile(times, 1), statuses }
}

if (!isMainThread && workerData) parentPort?.postMessage(await send(workerData as Load))
