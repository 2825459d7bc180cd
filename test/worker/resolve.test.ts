import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Socket, createSocket } from 'node:dgram'
import type { LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { type Resolve, createResolve } from '../../src/webhooks/resolve.ts'

type Answer = { code: string | undefined; addresses: LookupAddress[] }

const ask = (resolve: Resolve, hostname: string): Promise<Answer> =>
  new Promise((done) => {
    resolve(hostname, (error, addresses) => done({ code: error?.code, addresses }))
  })

/** A name server that answers A queries with an address, AAAA with none, or never. */
function nameServer(address: string | null): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    if (address === null) return
    const isA = query.readUInt16BE(query.indexOf(0, 12) + 1) === 1
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0])
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, ...address.split('.').map(Number)])
    socket.send(Buffer.concat(isA ? [head, question, record] : [head, question]), from.port, from.address)
  })
  return new Promise((resolve) => socket.bind(0, '127.0.0.1', () => resolve(socket)))
}

let silent: Socket
let answering: Socket
beforeAll(async () => {
  silent = await nameServer(null)
  answering = await nameServer('93.184.215.14')
})
afterAll(() => {
  silent.close()
  answering.close()
})

const through = (server: Socket): Resolve => createResolve([`127.0.0.1:${server.address().port}`])

describe('a name', () => {
  it('is asked for at the name servers, for both families', async () => {
    expect(await ask(through(answering), 'partner.example')).toEqual({
      code: undefined,
      addresses: [{ address: '93.184.215.14', family: 4 }],
    })
  })

  it('of the hosts file is the system\'s, whatever the servers say', async () => {
    const { addresses } = await ask(through(answering), 'localhost')
    expect(addresses.map(({ address }) => address)).toContain('127.0.0.1')
  })
})

describe('name servers that don\'t answer', () => {
  it('hold none of the threads that everything else needs, and end in a time-out', async () => {
    const resolve = through(silent)
    const hanging = Array.from({ length: 16 }, (_, n) => ask(resolve, `partner-${n}.example`))
    let isFirst = ''
    await Promise.race([
      hanging[0]!.then(() => (isFirst ||= 'names')),
      readFile(new URL(import.meta.url)).then(() => (isFirst ||= 'file')),
    ])
    expect(isFirst).toBe('file')
    expect(await hanging[15]).toEqual({ code: 'ETIMEOUT', addresses: [] })
  })
})
