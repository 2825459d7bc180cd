// The loop around attempts: claims what endpoints have due, sends it within each one's
// lane, and has recorded what came of it. It holds nothing that a kill could lose: a
// claim without a recorded attempt is sent again by whoever finds it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { coalesce } from '../coalesce.ts'
import {
  type AttemptRecord,
  type Claim,
  type FannedOut,
  type Outbox,
  type Room,
  type Want,
  noRoom,
} from '../outbox.ts'
import { type Lane, firstWant, isLow, isPaused, learn, openLane, wantOf } from './lane.ts'
import { type Recorder, createRecorder } from './recorder.ts'

export type SenderOptions = {
  outbox: Outbox
  attempt: (claim: Claim, signal: AbortSignal) => Promise<AttemptRecord | null>
  log: Logger
  /** Told of each attempt once it is recorded. */
  onRecorded?: (claim: Claim, made: AttemptRecord) => void
  /** Cuts all connections, when the worker stops and requests still run. */
  cut: () => Promise<void>
  /** Told when an endpoint has had nothing to do for a while. */
  onIdle?: (endpointId: string) => void
  /** How long running requests may go on when the worker stops. */
  drainMs?: number
}

export type Sender = {
  /** What it can take on. */
  room(): Room
  /** Sends what was claimed for it, and looks after the other endpoints. */
  accept(fannedOut: FannedOut): void
  /** An endpoint may have something due. */
  ring(endpointId: string): void
  /** Deliveries that it has claimed and not yet settled. */
  held(): string[]
  /** Lets running requests finish for a while, then gives up the rest. */
  stop(): Promise<void>
}

type State = SenderOptions & {
  lanes: Map<string, Lane>
  /** Lanes that could send if the process had room. */
  waiting: Set<Lane>
  timers: Set<NodeJS.Timeout>
  claim: (want: Want) => Promise<Claim[]>
  recorder: Recorder
  /** Being sent, or sent and not yet written down. */
  unsettled: Set<string>
  inFlight: number
  /** Claims in the lanes that aren't being sent. */
  ready: number
  isStopping: boolean
  stopping: AbortController
}

/** Requests of the whole process: below what a common limit of open files allows. */
const mostInFlight = 512
/** With more than this to write down, the database has trouble: nothing more is sent. */
const mostUnrecorded = 2000
/** Claims that wait for their turn: about 2 MB. */
const mostReady = 2000
/** Batches in one fan-out: some tens of milliseconds of the database's work. */
const mostBatches = 500
/** Endpoints in one claim. */
const mostWants = 200
/** Leaves the rest of a stop its time, where all must be over in ten seconds. */
const defaultDrainMs = 5000
/** After a fault of ours: the database is away, or a secret can't be unsealed. */
const faultPauseMs = 1000
/** A failure that takes longer holds as much as a time-out: a silent name server, say. */
const hangMs = 3000
/** After this long without work, a lane and its connections are closed. */
const idleMs = 5 * 60_000

export function createSender(options: SenderOptions): Sender {
  const stopping = new AbortController()
  const state: State = {
    ...options,
    lanes: new Map(),
    waiting: new Set(),
    timers: new Set(),
    claim: coalesce((wants) => claimAll(options.outbox, wants), { most: mostWants }),
    recorder: createRecorder(options.outbox, options.log, stopping.signal),
    unsettled: new Set(),
    inFlight: 0,
    ready: 0,
    isStopping: false,
    stopping,
  }
  const housekeeping = setInterval(() => closeIdle(state), idleMs / 5)

  return {
    room: () => roomOf(state),
    accept: ({ claims, others }) => {
      for (const [endpointId, own] of Map.groupBy(claims, ({ endpoint_id }) => endpoint_id)) {
        take(state, laneOf(state, endpointId), own)
      }
      for (const endpointId of others) ring(state, endpointId)
    },
    ring: (endpointId) => ring(state, endpointId),
    held: () => [
      ...state.unsettled,
      ...[...state.lanes.values()].flatMap(({ ready }) => ready.map(({ id }) => id)),
    ],
    stop: async () => {
      clearInterval(housekeeping)
      await drain(state)
    },
  }
}

function laneOf(state: State, endpointId: string): Lane {
  const lane = state.lanes.get(endpointId) ?? openLane(endpointId, performance.now())
  state.lanes.set(endpointId, lane)
  return lane
}

function ring(state: State, endpointId: string): void {
  const lane = laneOf(state, endpointId)
  lane.isRung = true
  pump(state, lane)
}

function roomOf(state: State): Room {
  const now = performance.now()
  if (state.isStopping) return noRoom
  return {
    batches: Math.min(Math.max(mostReady - state.ready, 0), mostBatches),
    perEndpoint: firstWant,
    lanes: Object.fromEntries(
      [...state.lanes.values()].map((lane) => [lane.endpointId, wantOf(lane, now)]),
    ),
  }
}

function take(state: State, lane: Lane, claims: Claim[]): void {
  lane.usedAt = performance.now()
  lane.ready.push(...claims)
  state.ready += claims.length
  pump(state, lane)
}

async function claimAll(outbox: Outbox, wants: Want[]): Promise<Claim[][]> {
  const byEndpoint = Map.groupBy(await outbox.claim(wants), ({ endpoint_id }) => endpoint_id)
  return wants.map(({ endpointId }) => byEndpoint.get(endpointId) ?? [])
}

const isFull = (state: State): boolean =>
  state.inFlight >= mostInFlight || state.recorder.backlog() >= mostUnrecorded

/** Starts what a lane may send now, and claims more when it runs low. */
function pump(state: State, lane: Lane): void {
  while (!state.isStopping && lane.ready.length > 0 && lane.inFlight < lane.room) {
    if (isFull(state)) {
      state.waiting.add(lane)
      return
    }
    const next = lane.ready.shift()
    if (!next) break
    state.ready -= 1
    void send(state, lane, next)
  }
  const isWanting = lane.isRung && !lane.isClaiming && isLow(lane)
  if (isWanting && !state.isStopping) void refill(state, lane)
}

function pumpWaiting(state: State): void {
  for (const lane of state.waiting) {
    if (isFull(state)) return
    state.waiting.delete(lane)
    pump(state, lane)
  }
}

async function refill(state: State, lane: Lane): Promise<void> {
  const limit = wantOf(lane, performance.now())
  if (limit === 0) return
  lane.isClaiming = true
  lane.isRung = false
  let claims: Claim[] = []
  try {
    claims = await state.claim({ endpointId: lane.endpointId, limit })
    if (claims.length === limit) lane.isRung = true
  } catch (error) {
    state.log.warn({ err: error, endpoint_id: lane.endpointId }, 'deliveries can\'t be claimed')
    rest(state, lane, [])
  }
  lane.isClaiming = false
  take(state, lane, claims)
}

async function send(state: State, lane: Lane, delivery: Claim): Promise<void> {
  state.unsettled.add(delivery.id)
  state.inFlight += 1
  lane.inFlight += 1
  let made: AttemptRecord | null = null
  try {
    made = await state.attempt(delivery, state.stopping.signal)
  } catch (error) {
    state.log.error({ err: error, endpoint_id: lane.endpointId }, 'a delivery can\'t be signed')
    rest(state, lane, [delivery])
  }
  state.inFlight -= 1
  lane.inFlight -= 1
  if (made) {
    learnFrom(state, lane, made)
    void note(state, delivery, made)
  } else {
    state.unsettled.delete(delivery.id)
  }
  pump(state, lane)
  pumpWaiting(state)
}

async function note(state: State, delivery: Claim, made: AttemptRecord): Promise<void> {
  await state.recorder.record(made)
  state.unsettled.delete(delivery.id)
  state.onRecorded?.(delivery, made)
  pumpWaiting(state)
}

function learnFrom(state: State, lane: Lane, made: AttemptRecord): void {
  const now = performance.now()
  const wasPaused = isPaused(lane, now)
  const isSuccess = made.error_class === null
  const isTimeout = made.error_class === 'timeout' || (!isSuccess && made.duration_ms > hangMs)
  learn(lane, { isTimeout, isSuccess, durationMs: made.duration_ms }, now)
  if (!wasPaused && isPaused(lane, now)) rest(state, lane, [])
}

/** Gives back what a lane has claimed, and comes again after a pause. */
function rest(state: State, lane: Lane, unsent: Claim[]): void {
  const now = performance.now()
  lane.isRung = true
  lane.pausedUntil = Math.max(lane.pausedUntil, now + faultPauseMs)
  const timer = setTimeout(() => {
    state.timers.delete(timer)
    pump(state, lane)
  }, lane.pausedUntil - now + 1)
  state.timers.add(timer)

  state.ready -= lane.ready.length
  const given = [...unsent, ...lane.ready.splice(0)].map(({ id }) => id)
  if (given.length === 0) return
  state.outbox.release(given).catch((error: unknown) => {
    state.log.warn({ err: error }, 'claims can\'t be given back')
  })
}

function closeIdle(state: State): void {
  const now = performance.now()
  for (const lane of state.lanes.values()) {
    const isBusy = lane.inFlight > 0 || lane.ready.length > 0 || lane.isRung || lane.isClaiming
    if (isBusy || now - lane.usedAt < idleMs) continue
    state.lanes.delete(lane.endpointId)
    state.onIdle?.(lane.endpointId)
  }
}

async function drain(state: State): Promise<void> {
  state.isStopping = true
  for (const timer of state.timers) clearTimeout(timer)
  const deadline = performance.now() + (state.drainMs ?? defaultDrainMs)
  const isBusy = (): boolean => state.inFlight > 0 || state.recorder.backlog() > 0
  while (isBusy() && performance.now() < deadline) await sleep(20)
  state.stopping.abort()
  await state.cut()
  while (isBusy()) await sleep(5)
}
