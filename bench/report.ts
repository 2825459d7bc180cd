// Medians with their spread, ratios and a plot, from what was measured.
import type { Operation } from './operations.ts'
import { median } from './statistics.ts'

/** One contender's turns: requests a second, and milliseconds at half of its own peak. */
export type Result = { name: string; perSecond: number[]; p50: number[]; p99: number[] }
/** `singles`: rows a second that ours writes one a request, in the same turns. */
export type Compared = { operation: Operation; results: Result[]; singles: number[] }

type Turn = { repeats: number; seconds: number }

const whole = (value: number): string => (value < 100 ? value.toFixed(1) : String(Math.round(value)))
const times = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : '–')

/** The median of the turns' ratios: what slows the machine for a while slows a whole turn. */
const ratio = (ours: number[], others: number[]): number =>
  median(ours.map((rate, turn) => rate / (others[turn] ?? Number.NaN)))

function table({ operation, results, singles }: Compared): string {
  const rates = (name: string): number[] => results.find((result) => result.name === name)?.perSecond ?? []
  const ours = rates('ours')
  const limit = rates('limit (pgbench)')
  const sums = rates('floor').map((floor, turn) => 1 / (1 / floor + 1 / (limit[turn] ?? Number.NaN)))
  const lines = results.map(({ name, perSecond, p50, p99 }) => {
    const spread = `${whole(Math.min(...perSecond))}–${whole(Math.max(...perSecond))}`
    const latency = p99.length > 0 ? `${median(p50).toFixed(1)} / ${median(p99).toFixed(1)}` : '–'
    return `| ${name} | ${whole(median(perSecond))} | ${spread} | ${times(ratio(ours, perSecond))} | ${latency} |`
  })
  return [
    `## ${operation.title}`,
    '',
    `${operation.connections} connections.`,
    '',
    '| | requests/s | lowest–highest | ours ÷ this | p50 / p99 ms at half of its peak |',
    '|---|--:|--:|--:|--:|',
    ...lines,
    '',
    limit.length > 0
      ? `1 ÷ (1/floor + 1/limit) is ${whole(median(sums))} requests/s; ours is ${times(ratio(ours, sums))} of it.\n`
      : '',
    singles.length > 0
      ? `Rows a second against single requests, in the same turns: ${times(ratio(rowsOf(ours, operation), singles))} times.\n`
      : '',
  ].join('\n')
}

const rowsOf = (rates: number[], { rowsEach = 1 }: Operation): number[] =>
  rates.map((rate) => rate * rowsEach)

const colours: Record<string, string> = {
  ours: '#2563eb',
  'Express peer': '#d97706',
  'Fastify peer': '#059669',
  floor: '#9ca3af',
  'limit (pgbench)': '#4b5563',
}

/** Bars of requests a second, each operation by its own largest. */
function plot(all: Compared[]): string {
  const bar = 16
  let y = 10
  const parts: string[] = []
  for (const { operation, results } of all) {
    parts.push(`<text x="10" y="${y + 14}" font-weight="bold">${operation.title}, requests/s</text>`)
    y += 22
    const largest = Math.max(...results.map(({ perSecond }) => median(perSecond)))
    for (const { name, perSecond } of results) {
      const rate = median(perSecond)
      const width = Math.max(1, (rate / largest) * 480)
      parts.push(
        `<text x="10" y="${y + 12}">${name}</text>` +
          `<rect x="130" y="${y}" width="${width.toFixed(1)}" height="${bar - 3}" fill="${colours[name] ?? '#000'}"/>` +
          `<text x="${(136 + width).toFixed(1)}" y="${y + 12}">${whole(rate)}</text>`,
      )
      y += bar
    }
    y += 12
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="700" height="${y}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${parts.join('\n')}
</svg>
`
}

export function writeReport(all: Compared[], { repeats, seconds }: Turn): { text: string; plot: string } {
  const text = [
    '# Side by side',
    '',
    '<!-- Written by npm run bench. -->',
    '',
    `Medians of ${repeats} turns of ${seconds} s each, contenders one after another in each; PostgreSQL, servers`,
    'and the generator share one machine. Ratios, medians of those of each turn, are worth reading;',
    'absolute numbers are this machine\'s of that hour.',
    'Latencies count from when a request was due.',
    '',
    '![requests a second](results.svg)',
    '',
    ...all.map(table),
  ].join('\n')
  return { text, plot: plot(all) }
}
