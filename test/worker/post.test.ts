import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type Server, createServer as createTcpServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { createAddressGuard, parseRanges } from '../../src/webhooks/address_guard.ts'
import { type Connections, createConnections } from '../../worker/delivery/connection.ts'
import { type Outcome, post } from '../../worker/delivery/post.ts'
import { type Receiver, createReceiver, status } from '../setup/receiver.ts'
import { selfSigned } from '../setup/self_signed.ts'

const guard = createAddressGuard(parseRanges('127.0.0.0/8'))
let partner: Receiver
let connections: Connections
const servers: Server[] = []

beforeAll(async () => {
  partner = await createReceiver()
  connections = createConnections(guard)
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))))
})
afterAll(async () => {
  await connections.closeAll()
  await partner.close()
})

const send = (url: string, timeoutMs = 10_000): Promise<Outcome | null> =>
  post(connections.of(url, new URL(url).origin), { path: '/hook', headers: {}, body: '{}', timeoutMs })

/** A server of bare TCP that answers each connection with some bytes. */
async function tcp(answer: string): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => (answer === '' ? socket.destroy() : socket.end(answer)))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('of %s is a success', async (code) => {
    partner.answer(status(code))
    expect(await send(partner.url)).toEqual({
      status: code, body: null, retryAfter: undefined, errorClass: null, error: null,
    })
  })

  it.each([300, 301, 302, 303, 307, 308])('of %s is not followed', async (code) => {
    const other = await createReceiver()
    partner.answer(status(code, { location: other.url }))
    expect(await send(partner.url)).toMatchObject({ status: code, errorClass: 'status' })
    expect(other.requests).toHaveLength(0)
    await other.close()
  })

  it.each([400, 401, 404, 410, 418, 429, 500, 503])('of %s is a failure', async (code) => {
    partner.answer(status(code, { 'retry-after': '7' }, 'no'))
    expect(await send(partner.url)).toEqual({
      status: code, body: 'no', retryAfter: '7', errorClass: 'status', error: `answered ${code}`,
    })
  })

  it('is kept up to 4 KB', async () => {
    partner.answer(status(200, {}, 'x'.repeat(10_000)))
    const outcome = await send(partner.url)
    expect(outcome).toMatchObject({ status: 200, errorClass: null, body: 'x'.repeat(4096) })
  })

  it('may hold bytes that no text column takes', async () => {
    partner.answer((_request, response) => {
      response.writeHead(200).end(Buffer.from([0x61, 0x00, 0xff, 0x62]))
    })
    expect((await send(partner.url))?.body).toBe('a\uFFFD\uFFFDb')
  })

  it('without an end is read to 64 KB, and its status counts', async () => {
    let sent = 0
    partner.answer((_request, response) => {
      response.writeHead(200)
      const chunk = Buffer.alloc(16_384, 'y')
      const more = (): void => {
        sent += chunk.length
        if (!response.destroyed && response.write(chunk)) setImmediate(more)
        else response.once('drain', more)
      }
      more()
    })
    const outcome = await send(partner.url)
    expect(outcome).toMatchObject({ status: 200, errorClass: null })
    // What the buffers of both ends hold comes on top of what is read.
    expect(sent).toBeLessThan(20 * 1024 * 1024)
  })
})

describe('no answer', () => {
  it('in time is a time-out', async () => {
    partner.answer(() => {})
    expect(await send(partner.url, 100)).toMatchObject({ status: null, errorClass: 'timeout' })
  })

  it('that ends in time is a time-out, however much of it has come', async () => {
    partner.answer((_request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 10)
      response.on('close', () => clearInterval(drip))
    })
    expect(await send(partner.url, 200)).toMatchObject({ status: null, errorClass: 'timeout' })
  })

  it('because nobody listens is a fault of the connection', async () => {
    const url = await tcp('')
    await new Promise((done) => servers.pop()?.close(done))
    expect(await send(url)).toMatchObject({ status: null, errorClass: 'connection' })
  })

  it('because the connection is cut is a fault of the connection', async () => {
    expect(await send(await tcp(''))).toMatchObject({ status: null, errorClass: 'connection' })
  })

  it('because something else than HTTP answers is a fault of the connection', async () => {
    const outcome = await send(await tcp('220 mail.example ESMTP\r\n'))
    expect(outcome).toMatchObject({ status: null, errorClass: 'connection' })
  })

  it('because nobody trusts the certificate is a fault of TLS', async () => {
    const server = createTlsServer(selfSigned, (socket) => socket.end())
    server.on('tlsClientError', () => {})
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const outcome = await send(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
    expect(outcome).toMatchObject({ status: null, errorClass: 'tls' })
  })

  it('because the other side speaks no TLS is a fault of TLS', async () => {
    const plain = await tcp('HTTP/1.1 200 OK\r\n\r\n')
    const outcome = await send(plain.replace('http:', 'https:'))
    expect(outcome).toMatchObject({ status: null, errorClass: 'tls' })
  })

  it('is given up when the worker stops', async () => {
    partner.answer(() => {})
    const own = createConnections(guard)
    const stopping = new AbortController()
    const pending = post(own.of('one', new URL(partner.url).origin), {
      path: '/hook', headers: {}, body: '{}', signal: stopping.signal,
    })
    stopping.abort()
    await own.closeAll()
    expect(await pending).toBeNull()
  })
})

describe('connections', () => {
  it('are kept and used again', async () => {
    partner.answer(status(204))
    const own = createConnections(guard)
    const from = partner.requests.length
    for (let n = 0; n < 20; n += 1) {
      await post(own.of('one', new URL(partner.url).origin), { path: '/', headers: {}, body: '{}' })
    }
    await own.closeAll()
    expect(new Set(partner.requests.slice(from).map(({ peer }) => peer)).size).toBeLessThan(3)
  })

  it('of two endpoints are never shared', async () => {
    const own = createConnections(guard)
    const from = partner.requests.length
    for (const endpoint of ['one', 'two']) {
      await post(own.of(endpoint, new URL(partner.url).origin), { path: '/', headers: {}, body: '{}' })
    }
    await own.closeAll()
    expect(new Set(partner.requests.slice(from).map(({ peer }) => peer)).size).toBe(2)
  })
})
