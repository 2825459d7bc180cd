// `npm run chaos`: breaks a deployment of its own in every way that it knows, and prints
// what became of requests, answers and events. Exit 1 when a promise was broken.
import { Command, InvalidArgumentError } from 'commander'
import { type Fault, faults } from './faults.ts'
import { type Verdict, play } from './play.ts'
import { rollingRestart } from './rolling.ts'
import { soak } from './soak.ts'
import { setStage } from './stage.ts'
import { tableHead, tableRow } from './table.ts'

const limits = { answerMs: 5000, recoveryMs: 10_000 }

const names = faults.map(({ name }) => name)

const { faults: chosen, ...options } = new Command('chaos')
  .description(
    `Plays faults on a PostgreSQL of its own under load: ${names.join(', ')}. ` +
      'Every answer must come within 5 s, be 2xx or 503, and hold.',
  )
  .option('--faults <names>', 'those faults only, comma-separated', parseFaults, faults)
  .option('--seconds <n>', 'how long each fault lasts, instead of its own time', parsePositive)
  .option('--rate <n>', 'requests a second', parsePositive, 30)
  .option('--rolling', 'restart two APIs and two workers one by one under 200 requests a second')
  .option('--requests <n>', 'of the rolling restart', parsePositive, 10_000)
  .option('--soak <time>', 'mixed load for so long, 10m say, with a fault every 20 s', parseTime)
  .option('--json', 'answer with one JSON document')
  .parse()
  .opts<{
    faults: Fault[]
    seconds?: number
    rate: number
    rolling?: true
    requests: number
    soak?: number
    json?: true
  }>()

const say = (text: string): void => {
  if (!options.json) console.log(text)
}

if (options.rolling) finish(await rollingRestart(options.requests, say))
else if (options.soak) finish(await soak(options.soak, chosen, options.rate, say))
else finish(await playAll())

async function playAll(): Promise<{ isGood: boolean; verdicts: Verdict[] }> {
  say(tableHead())
  const [onUsual, onClock] = [false, true].map((needsClock) =>
    chosen.filter((fault) => (fault.needsClock ?? false) === needsClock),
  )
  const verdicts = [...(await playOn(onUsual ?? [], false)), ...(await playOn(onClock ?? [], true))]
  return { isGood: verdicts.every(isGood), verdicts }
}

async function playOn(some: Fault[], hasClock: boolean): Promise<Verdict[]> {
  if (some.length === 0) return []
  const verdicts: Verdict[] = []
  const stage = await setStage({ hasClock })
  try {
    for (const fault of some) {
      const obstacle = fault.obstacle?.(stage)
      if (obstacle) {
        say(`| ${fault.name} | not played: ${obstacle} |`)
        continue
      }
      const verdict = await play(stage, { ...fault, seconds: options.seconds ?? fault.seconds }, { perSecond: options.rate })
      verdicts.push(verdict)
      say(tableRow(verdict))
      for (const remark of new Set(verdict.remarks)) console.error(`  ${remark}`)
    }
  } finally {
    await stage.close()
  }
  return verdicts
}

function isGood({ slowest_ms, recovery_ms, lost, wrong }: Verdict): boolean {
  return slowest_ms <= limits.answerMs && recovery_ms <= limits.recoveryMs && lost + wrong === 0
}

function finish(outcome: { isGood: boolean }): void {
  if (options.json) console.log(JSON.stringify(outcome))
  process.exit(outcome.isGood ? 0 : 1)
}

function parseFaults(text: string): Fault[] {
  return text.split(',').map((name) => {
    const fault = faults.find((each) => each.name === name)
    if (!fault) throw new InvalidArgumentError(`There are ${names.join(', ')}.`)
    return fault
  })
}

function parsePositive(text: string): number {
  const number = Number(text)
  if (!(number > 0)) throw new InvalidArgumentError('It is a number above 0.')
  return number
}

/** Seconds. */
function parseTime(text: string): number {
  const [, number, unit] = /^(\d+)([smh])$/.exec(text) ?? []
  if (!unit) throw new InvalidArgumentError('It is a time such as 90s, 10m or 1h.')
  return Number(number) * { s: 1, m: 60, h: 3600 }[unit as 's' | 'm' | 'h']
}
