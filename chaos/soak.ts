// A long day in short: mixed load with a fault every 20 s, and at the end a look at what
// the processes hold. What grows with time would show as a difference.
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './faults.ts'
import { startLoad } from './load.ts'
import { judge } from './play.ts'
import { type Stage, setStage } from './stage.ts'

const betweenMs = 20_000
/** Until connections that only a burst needed are given up, and rests of memory, too. */
const settleMs = 75_000
/** Below that a difference is noise: a pool's connection more or less, a file of a log. */
const allowed = { handles: 12, connections: 6, memoryShare: 1.6 }

type Holdings = { memory_mb: number; handles: number; connections: number }

export type Soak = {
  isGood: boolean
  seconds: number
  faults: number
  requests: number
  '2xx': number
  '503': number
  other: number
  lost: number
  wrong: number
  slowest_ms: number
  before: Holdings
  after: Holdings
  remarks: string[]
}

export async function soak(
  seconds: number,
  all: Fault[],
  perSecond: number,
  say: (text: string) => void,
): Promise<Soak> {
  const stage = await setStage()
  try {
    const target = { url: () => stage.apis[0]?.api ?? '', key: stage.key }
    await warmUp(target, perSecond)
    const before = await holdings(stage)
    say(`before: ${JSON.stringify(before)}`)
    const load = startLoad(target, perSecond)
    const played = await playThrough(stage, all, seconds, say)
    await load.stop()
    const verdict = await judge(stage, target, 'soak', load, 0)
    await sleep(settleMs)
    const after = await holdings(stage)
    say(`after:  ${JSON.stringify(after)}`)
    const { requests, other, lost, wrong, slowest_ms, remarks } = verdict
    const isGood = lost + wrong === 0 && isLevel(before, after)
    const counts = { requests, '2xx': verdict['2xx'], '503': verdict['503'], other, lost, wrong, slowest_ms }
    say(`${seconds} s, ${played} faults: ${JSON.stringify(counts)}`)
    for (const remark of new Set(remarks)) say(`  ${remark}`)
    return { isGood, seconds, faults: played, ...counts, before, after, remarks }
  } finally {
    await stage.close()
  }
}

async function warmUp(target: Parameters<typeof startLoad>[0], perSecond: number): Promise<void> {
  const load = startLoad(target, perSecond)
  await sleep(30_000)
  await load.stop()
}

async function playThrough(
  stage: Stage,
  all: Fault[],
  seconds: number,
  say: (text: string) => void,
): Promise<number> {
  const playable = all.filter((fault) => !fault.obstacle?.(stage))
  const end = performance.now() + seconds * 1000
  let played = 0
  while (performance.now() < end - betweenMs) {
    const fault = playable[played % playable.length]
    if (!fault) break
    const begin = performance.now()
    await fault.begin(stage)
    // Each fault leaves time for what comes after it.
    await sleep(Math.min(fault.seconds * 1000, betweenMs / 2))
    await fault.end(stage)
    played += 1
    say(`${Math.round((end - performance.now()) / 1000)} s to go: ${fault.name}, ${JSON.stringify(memoryOf(stage))}`)
    await sleep(Math.max(betweenMs - (performance.now() - begin), 0))
  }
  return played
}

const processesOf = ({ apis, workers }: Stage): number[] =>
  [...apis, ...workers].map(({ child }) => child.pid ?? 0)

async function holdings(stage: Stage): Promise<Holdings> {
  const [row] = await stage.postgres.query(
    `select count(*)::int as count from pg_stat_activity where usename like 'svc_%'`,
  )
  const handles = processesOf(stage).map((pid) => readdirSync(`/proc/${pid}/fd`).length)
  return {
    memory_mb: sum(memoryOf(stage)),
    handles: sum(handles),
    connections: row?.['count'] as number,
  }
}

/** Megabytes in memory of each process. */
const memoryOf = (stage: Stage): number[] =>
  processesOf(stage).map((pid) => {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Math.round(Number(kilobytes) / 1024)
  })

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0)

function isLevel(before: Holdings, after: Holdings): boolean {
  return (
    after.handles <= before.handles + allowed.handles &&
    after.connections <= before.connections + allowed.connections &&
    after.memory_mb <= before.memory_mb * allowed.memoryShare
  )
}
