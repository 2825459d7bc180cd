// What a run found, as a table for people and for docs/faults.md.
import type { Verdict } from './play.ts'

const columns: [head: string, of: (verdict: Verdict) => string | number][] = [
  ['fault', ({ fault }) => fault],
  ['requests', ({ requests }) => requests],
  ['2xx', (verdict) => verdict['2xx']],
  ['503', (verdict) => verdict['503']],
  ['other', ({ other }) => other],
  ['slowest answer', ({ slowest_ms }) => seconds(slowest_ms)],
  ['recovery', ({ recovery_ms }) => seconds(recovery_ms)],
  ['lost', ({ lost }) => lost],
  ['wrong', ({ wrong }) => wrong],
]

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

export const tableHead = (): string =>
  [`| ${columns.map(([head]) => head).join(' | ')} |`, `|${columns.map(() => '---|').join('')}`].join('\n')

export const tableRow = (verdict: Verdict): string =>
  `| ${columns.map(([, of]) => of(verdict)).join(' | ')} |`
