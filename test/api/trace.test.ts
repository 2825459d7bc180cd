// A traceparent that isn't one is as good as none: the trace then begins here.
import { describe, expect, it } from '@jest/globals'
import { nextSpan, traceparentOf } from '../../src/trace.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'

describe('a usable traceparent', () => {
  it.each([
    ['00', '01', '01'],
    ['00', '00', '00'],
    ['00', 'ff', '01'],
    ['cc', '01', '01'],
  ])('of version %s with flags %s goes on', (version, flags, kept) => {
    const context = nextSpan(`${version}-${traceId}-${parentId}-${flags}`)
    expect(context).toEqual({ traceId, parentId, spanId: expect.stringMatching(/^[0-9a-f]{16}$/), flags: kept })
    expect(traceparentOf(context)).toBe(`00-${traceId}-${context.spanId}-${kept}`)
  })

  it('of a later version may say more', () => {
    expect(nextSpan(`01-${traceId}-${parentId}-01-more`)).toMatchObject({ traceId, parentId })
  })
})

describe('an unusable traceparent', () => {
  it.each([
    undefined, null, '', 'x', `00-${traceId}-${parentId}`, `00-${traceId}-${parentId}-01-more`,
    `ff-${traceId}-${parentId}-01`, `00-${'0'.repeat(32)}-${parentId}-01`, `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`, `00-${traceId}-${parentId}-1`, ` 00-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01\n`, `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
  ])('begins a new trace: %s', (traceparent) => {
    const context = nextSpan(traceparent)
    expect(context).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      parentId: null,
      flags: '01',
    })
    expect(context.traceId).not.toBe(traceId)
  })
})
