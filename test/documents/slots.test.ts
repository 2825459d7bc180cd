import { describe, expect, it } from '@jest/globals'
import { createSlots } from '../../src/documents/slots.ts'

const stays = new AbortController().signal
const refusal = { status: 503, code: 'service_unavailable', headers: { 'Retry-After': '2' } }

describe('slots', () => {
  it('are so many and no more, each with memory of its own that threads share', async () => {
    const slots = createSlots({ count: 2, bytes: 16, patienceMs: 1 })
    const [one, two] = [await slots.acquire(stays), await slots.acquire(stays)]
    expect(one.buffer.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(one.buffer.buffer).not.toBe(two.buffer.buffer)
    await expect(slots.acquire(stays)).rejects.toMatchObject(refusal)
  })

  it('go to those who wait, in the order in which they came', async () => {
    const slots = createSlots({ count: 1, bytes: 16 })
    const held = await slots.acquire(stays)
    const order: string[] = []
    const waiting = ['first', 'second', 'third'].map(async (name) => {
      const slot = await slots.acquire(stays)
      order.push(name)
      slot.release()
    })
    held.release()
    await Promise.all(waiting)
    expect(order).toEqual(['first', 'second', 'third'])
  })

  it('are given back once, however often they are released', async () => {
    const slots = createSlots({ count: 1, bytes: 16, patienceMs: 1 })
    const slot = await slots.acquire(stays)
    slot.release()
    slot.release()
    await slots.acquire(stays)
    await expect(slots.acquire(stays)).rejects.toMatchObject(refusal)
  })

  it('wait for nobody who has gone', async () => {
    const slots = createSlots({ count: 1, bytes: 16 })
    const held = await slots.acquire(stays)
    const leaving = new AbortController()
    const left = slots.acquire(leaving.signal)
    leaving.abort()
    await expect(left).rejects.toMatchObject(refusal)
    await expect(slots.acquire(leaving.signal)).rejects.toMatchObject(refusal)
    const next = slots.acquire(stays)
    held.release()
    expect((await next).buffer.length).toBe(16)
  })

  it('have room for few who wait', async () => {
    const slots = createSlots({ count: 1, bytes: 16 })
    const held = await slots.acquire(stays)
    const leaving = new AbortController()
    const waiting = Array.from({ length: 16 }, () => slots.acquire(leaving.signal))
    await expect(slots.acquire(stays)).rejects.toMatchObject(refusal)
    leaving.abort()
    await Promise.allSettled(waiting)
    held.release()
  })
})
