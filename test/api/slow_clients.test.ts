// Callers that dawdle, and callers that are too many, on the real listener with little
// patience.
import { afterEach, describe, expect, it } from '@jest/globals'
import { type Socket, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestListener } from 'node:http'
import { type ListenOptions, type Listener, listen } from '../../src/server.ts'

let listener: Listener
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await listener.close(0)
})

/** More than the buffers of both ends hold. */
const largeAnswer = Buffer.alloc(64 * 1024 * 1024, 'x')

const answer: RequestListener = (request, response) => {
  request.resume().once('end', () => {
    response.end(request.url === '/large' ? largeAnswer : 'ok')
  })
}

async function serve(patience: ListenOptions['patience'], maxConnections?: number): Promise<void> {
  const options = maxConnections === undefined ? {} : { maxConnections }
  listener = await listen(answer, '127.0.0.1', 0, { ...options, patience: { check: 100, ...patience } })
}

type Caller = { socket: Socket; text(): string; closed: Promise<void> }

function call(text: string): Caller {
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1')
  sockets.push(socket)
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.subarray(0, 500).toString('latin1')))
  socket.on('error', () => {})
  socket.write(text)
  return {
    socket,
    text: () => received,
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
  }
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`

const others = async (): Promise<number> => (await fetch(listener.url)).status

describe('a caller is cut off', () => {
  it('when its headers don\'t end, with 408 in the envelope', async () => {
    await serve({ headers: 300 })
    const { closed, text } = call('GET / HTTP/1.1\r\nHost: here\r\nX-Slow: ')
    expect(await others()).toBe(200)
    await closed
    expect(text()).toMatch(/^HTTP\/1\.1 408 /)
    expect(JSON.parse(text().split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'request_timeout' })
    expect(text()).not.toMatch(/^Link:/im)
  })

  it('when its body doesn\'t end', async () => {
    await serve({ headers: 300, request: 500 })
    const { closed } = call('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\nslow')
    expect(await others()).toBe(200)
    await closed
  })

  it('when it doesn\'t read its answer', async () => {
    await serve({ silence: 500 })
    const { socket } = call(get('/large'))
    socket.pause()
    expect(await others()).toBe(200)
    expect(await largeAnswerOf(socket)).toBeLessThan(largeAnswer.length)
  })

  it('when it reads its answer, but all too slowly', async () => {
    await serve({ silence: 60_000, exchange: 1000 })
    const { socket } = call(get('/large'))
    socket.pause()
    let isOpen = true
    socket.once('close', () => (isOpen = false))
    while (isOpen) {
      socket.read(1000)
      await sleep(20)
    }
    expect(socket.bytesRead).toBeLessThan(largeAnswer.length)
  })
})

describe('a caller is NOT cut off', () => {
  it('while it sends and reads steadily, however large the answer', async () => {
    await serve({ silence: 2000 })
    const response = await fetch(`${listener.url}/large`)
    expect((await response.arrayBuffer()).byteLength).toBe(largeAnswer.length)
  })
})

describe('of too many connections', () => {
  it('the last are hung up on, and the others are served', async () => {
    await serve({}, 2)
    const [first, second] = [call(get('/')), call(get('/'))]
    while (!first.text() || !second.text()) await sleep(10)
    const third = call(get('/'))
    await third.closed
    expect(third.text()).toBe('')
    first.socket.write(get('/'))
    while (first.text().match(/ok/g)?.length !== 2) await sleep(10)
  })
})

// Reads only once the other side has given up.
async function largeAnswerOf(socket: Socket): Promise<number> {
  await sleep(1500)
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  return socket.bytesRead
}
