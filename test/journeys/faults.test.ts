// Faults of the database under load, on a server of this file's own: what was answered
// holds, what can't be served is refused in time, and all is well again by itself. Longer
// ones, and a full disk, are `npm run chaos`'s.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { faults } from '../../chaos/faults.ts'
import { type Verdict, play } from '../../chaos/play.ts'
import { type Stage, setStage } from '../../chaos/stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage?.close())

const short: [name: string, seconds: number][] = [
  ['restart', 2],
  ['kill', 2],
  ['connections', 2],
  ['read-only', 2],
  ['network-cut', 2],
  ['network-silent', 6],
]

describe('while the database has a fault', () => {
  it.each(short)('(%s) nothing promised is lost, and nothing but 503 is said', async (name, seconds) => {
    const fault = faults.find((each) => each.name === name)!
    const verdict = await play(stage, { ...fault, seconds }, { perSecond: 10, calmSeconds: 1, restSeconds: 6 })
    expect(verdict).toMatchObject({ other: 0, lost: 0, wrong: 0, remarks: [] })
    expect(verdict['2xx']).toBeGreaterThan(0)
    expect(verdict['503']).toBeGreaterThan(0)
    expect(hasRecovered(verdict)).toBe(true)
  })
})

// Infinity where nothing succeeded after the fault and its last failure.
const hasRecovered = ({ recovery_ms }: Verdict): boolean => Number.isFinite(recovery_ms)
