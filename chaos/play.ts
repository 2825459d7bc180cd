// Plays one fault under load, and says what became of every request, promise and event.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './faults.ts'
import { type Answer, type Ledger, type Load, type Target, call, startLoad } from './load.ts'
import { type Stage, isRunning } from './stage.ts'

export type Verdict = {
  fault: string
  requests: number
  '2xx': number
  '503': number
  other: number
  slowest_ms: number
  recovery_ms: number
  lost: number
  wrong: number
  /** What is behind the counts of lost and wrong. */
  remarks: string[]
}

export type PlayOptions = {
  perSecond?: number
  /** Before the fault: that all is well. */
  calmSeconds?: number
  /** After it: time to recover. */
  restSeconds?: number
}

export async function play(stage: Stage, fault: Fault, options: PlayOptions = {}): Promise<Verdict> {
  const { perSecond = 30, calmSeconds = 2, restSeconds = 12 } = options
  const target: Target = { url: () => stage.apis[0]?.api ?? '', key: stage.key }
  const load = startLoad(target, perSecond)
  await sleep(calmSeconds * 1000)
  await fault.begin(stage)
  await sleep(fault.seconds * 1000)
  await fault.end(stage)
  const healedAt = performance.now()
  await sleep(restSeconds * 1000)
  await load.stop()
  return judge(stage, target, fault.name, load, healedAt)
}

/** What became of a load, once it has ended. */
export async function judge(
  stage: Stage,
  target: Target,
  fault: string,
  load: Load,
  healedAt: number,
): Promise<Verdict> {
  const answers = [...load.ledger.answers]
  const repeated = await load.repeat()
  const lost = [...(await lostPromises(target, load.ledger)), ...(await lostEvents(stage, load.ledger))]
  const wrong = [
    ...answers.flatMap((answer) => answer.fault ?? []),
    ...repeated,
    ...(await inventions(stage, load.ledger)),
    ...[...stage.apis, ...stage.workers].flatMap((each) =>
      isRunning(each) ? [] : [`a process ended: ${each.output}`],
    ),
  ]
  const count = (test: (status: number) => boolean): number =>
    answers.filter(({ status }) => test(status)).length
  const isGood = (status: number): boolean => status >= 200 && status < 300
  return {
    fault,
    requests: answers.length,
    '2xx': count(isGood),
    '503': count((status) => status === 503),
    other: count((status) => !isGood(status) && status !== 503),
    slowest_ms: Math.round(Math.max(...answers.map(({ startedAt, endedAt }) => endedAt - startedAt))),
    recovery_ms: Math.round(recovery(answers, healedAt)),
    lost: lost.length,
    wrong: wrong.length,
    remarks: [...lost, ...wrong],
  }
}

// From the end of the fault to the first success after which nothing failed any more.
function recovery(answers: Answer[], healedAt: number): number {
  const isGood = ({ status }: Answer): boolean => status >= 200 && status < 300
  const lastFailure = Math.max(
    healedAt,
    ...answers.filter((answer) => !isGood(answer)).map(({ startedAt }) => startedAt),
  )
  const ends = answers
    .filter((answer) => isGood(answer) && answer.startedAt > lastFailure)
    .map(({ endedAt }) => endedAt)
  return Math.min(...ends) - healedAt
}

// Each promise is read back the way that its caller would.
async function lostPromises(target: Target, { promised }: Ledger): Promise<string[]> {
  const faults: string[] = []
  for (const path of promised.keys()) {
    const { status } = await call(target, path)
    if (status !== 200) faults.push(`${path} reads ${status}`)
  }
  return faults
}

/** A claim whose answer was lost is free again after two minutes and a half. */
const eventPatienceMs = 240_000

async function lostEvents({ heard }: Stage, { promised }: Ledger): Promise<string[]> {
  const end = performance.now() + eventPatienceMs
  const missing = (): string[] =>
    [...promised.keys()]
      .filter((path) => path.startsWith('quotes/') && !heard.has(path.slice('quotes/'.length)))
      .map((path) => `no event of ${path}`)
  while (missing().length > 0 && performance.now() < end) await sleep(100)
  return missing()
}

// Nothing exists twice, and nothing was told of that doesn't exist.
async function inventions({ postgres, heard }: Stage, { promised }: Ledger): Promise<string[]> {
  const doubles = await postgres.query(
    `select external_reference from app.quotes group by tenant_id, external_reference having count(*) > 1
    union all
    select external_reference from app.organizations group by tenant_id, external_reference having count(*) > 1`,
  )
  const ids = new Set((await postgres.query('select id from app.quotes')).map(({ id }) => id))
  return [
    ...doubles.map(({ external_reference }) => `twice: ${String(external_reference)}`),
    ...[...heard.keys()].filter((id) => !ids.has(id)).map((id) => `event of nothing: ${id}`),
    ...[...promised.keys()]
      .filter((path) => path.startsWith('quotes/') && !ids.has(path.slice('quotes/'.length)))
      .map((path) => `not in the database: ${path}`),
  ]
}
