// Medians with their spread, ratios and a plot, from what was measured.
import type { Operation } from './operations.ts'
import { median } from './statistics.ts'

/** One contender's turns: requests a second, and milliseconds at half of its own peak. */
export type Result = { name: string; perSecond: number[]; p50: number[]; p99: number[] }
export type Compared = { operation: Operation; results: Result[] }

type Turn = { repeats: number; seconds: number }

const whole = (value: number): string => (value < 100 ? value.toFixed(1) : String(Math.round(value)))
const times = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : '–')

function table({ operation, results }: Compared): string {
  const rate = (name: string): number =>
    median(results.find((result) => result.name === name)?.perSecond ?? [Number.NaN])
  const sum = 1 / (1 / rate('floor') + 1 / rate('limit (pgbench)'))
  const lines = results.map(({ name, perSecond, p50, p99 }) => {
    const spread = `${whole(Math.min(...perSecond))}–${whole(Math.max(...perSecond))}`
    const latency = p99.length > 0 ? `${median(p50).toFixed(1)} / ${median(p99).toFixed(1)}` : '–'
    return `| ${name} | ${whole(median(perSecond))} | ${spread} | ${times(rate('ours') / median(perSecond))} | ${latency} |`
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
    Number.isFinite(sum)
      ? `1 ÷ (1/floor + 1/limit) is ${whole(sum)} requests/s; ours is ${times(rate('ours') / sum)} of it.\n`
      : '',
  ].join('\n')
}

function batchLine(all: Compared[]): string {
  const rate = (name: string): number => {
    const found = all.find(({ operation }) => operation.name === name)
    return median(found?.results[0]?.perSecond ?? [Number.NaN]) * (found?.operation.rowsEach ?? 1)
  }
  const ratio = rate('upsert_organization_batch') / rate('upsert_organization')
  return Number.isFinite(ratio)
    ? `Rows a second in batches of 100 against single requests, ours: ${times(ratio)} times.\n`
    : ''
}

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
    `Medians of ${repeats} turns of ${seconds} s each, contenders in turns; PostgreSQL, servers and the`,
    'generator share one machine. Ratios are worth reading; absolute numbers are this machine\'s.',
    'Latencies count from when a request was due.',
    '',
    '![requests a second](results.svg)',
    '',
    ...all.map(table),
    batchLine(all),
  ].join('\n')
  return { text, plot: plot(all) }
}
