// Sends requests over so many kept-alive connections, in a process of its own, and tells
// how long they took. Plain sockets, so that it takes little of the machine that all share.
// Without a rate it asks as fast as it is answered. With one, each request has the time at
// which it was due, and its latency counts from there: a stall of the server delays
// requests, and hides none (coordinated omission).
import { type Socket, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './statistics.ts'

export type Job = {
  host: string
  port: number
  /** Whole HTTP requests, sent in turn. `serialMark` in them becomes a number of its own. */
  requests: string[]
  connections: number
  warmUpSeconds: number
  seconds: number
  /** Requests a second; null: as many as are answered. */
  rate: number | null
  /** The first number for `serialMark`. */
  serial: number
}

export type Measured = {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p95: number
  p99: number
  statuses: Record<string, number>
  /** The next number for `serialMark`. */
  serial: number
}

/** As long as the number that takes its place, so that Content-Length holds. */
export const serialMark = '{serial-no}'

const mark = new RegExp(serialMark, 'g')

type Lane = {
  socket: Socket
  /** When the request on the wire was due; null while idle. */
  due: number | null
  pending: string
}

export function run(job: Job): Promise<Measured> {
  const begin = performance.now()
  const from = begin + job.warmUpSeconds * 1000
  const until = from + job.seconds * 1000
  const times: number[] = []
  const statuses: Record<string, number> = {}
  const { promise, resolve, reject } = Promise.withResolvers<Measured>()
  let { serial } = job
  let next = 0
  let running = 0

  function send(lane: Lane, due: number): void {
    const request = job.requests[next % job.requests.length] ?? ''
    next += 1
    lane.due = due
    running += 1
    serial += 1
    lane.socket.write(request.replaceAll(mark, String(serial).padStart(serialMark.length, '0')))
  }

  function finish(lane: Lane, status: string): void {
    const now = performance.now()
    const due = lane.due ?? now
    lane.due = null
    running -= 1
    if (due >= from && due < until) {
      times.push(now - due)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    if (job.rate !== null) {
      idle.push(lane)
      sendDue(job.rate)
    } else if (now < until) send(lane, now)
    else if (running === 0) end()
  }

  const lanes: Lane[] = Array.from({ length: job.connections }, () => {
    const socket = connect(job.port, job.host)
    const lane: Lane = { socket, due: null, pending: '' }
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      lane.pending += chunk
      const status = takeAnswer(lane)
      if (status) finish(lane, status)
    })
    socket.on('error', reject)
    return lane
  })
  const idle = [...lanes]

  // Requests that are due go out as connections become free, the oldest first: when an answer
  // frees one, and a thousand times a second besides.
  let sent = 0
  function sendDue(rate: number): void {
    const now = Math.min(performance.now(), until)
    for (let due = dueAt(sent, rate); due < now && idle.length > 0; due = dueAt(sent, rate)) {
      send(idle.shift()!, due)
      sent += 1
    }
  }

  const dueAt = (index: number, rate: number): number => begin + (index * 1000) / rate

  async function keepRate(rate: number): Promise<void> {
    const total = Math.floor(((until - begin) / 1000) * rate)
    while (sent < total) {
      sendDue(rate)
      if (performance.now() > until + graceMs) throw new Error(`far behind the rate of ${rate}`)
      await sleep(1)
    }
    while (running > 0) await sleep(5)
    end()
  }

  function end(): void {
    for (const { socket } of lanes) socket.destroy()
    times.sort((a, b) => a - b)
    resolve({
      perSecond: times.length / job.seconds,
      p50: percentile(times, 0.5),
      p95: percentile(times, 0.95),
      p99: percentile(times, 0.99),
      statuses,
      serial,
    })
  }

  if (job.rate === null) for (const lane of lanes) send(lane, performance.now())
  else keepRate(job.rate).catch(reject)
  return promise
}

/** How far behind its schedule a server may fall before the run counts for nothing. */
const graceMs = 30_000

/** Takes a whole answer off what came in. Gives its status, or undefined: not all is here. */
function takeAnswer(lane: Lane): string | undefined {
  const head = lane.pending.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(lane.pending.slice(0, head))?.[1])
  if (Number.isNaN(length)) throw new Error('an answer without Content-Length')
  const end = head + 4 + length
  if (lane.pending.length < end) return undefined
  const status = lane.pending.slice(9, 12)
  lane.pending = lane.pending.slice(end)
  return status
}

if (process.send) {
  process.on('message', (job: Job) => {
    run(job).then(
      (measured) => process.send?.({ measured }),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
  })
}
