import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Server, type Socket, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { LookupAddress } from 'node:dns'
import {
  RefusedAddressError,
  createAddressGuard,
  parseRanges,
} from '../../src/webhooks/address_guard.ts'
import { EndpointUrlError, parseEndpointUrl } from '../../src/webhooks/endpoint_url.ts'
import type { Resolve } from '../../src/webhooks/resolve.ts'
import { createConnections } from '../../worker/delivery/connection.ts'
import { type Outcome, post } from '../../worker/delivery/post.ts'
import { publicAddresses, refusedHosts } from './address_guard.cases.ts'

const closed = createAddressGuard([])
const rules = { isProduction: false, guard: closed }

// Listens on every loopback address of both families: whoever slips through is seen.
let canary: Server
let port: number
let seen: Socket[] = []
const open = new Set<Socket>()

beforeAll(async () => {
  canary = createServer((socket) => {
    seen.push(socket)
    socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
    socket.on('error', () => {})
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => canary.listen(0, '::', resolve))
  port = (canary.address() as AddressInfo).port
})
beforeEach(() => {
  seen = []
})
afterAll(async () => {
  for (const socket of open) socket.destroy()
  await new Promise((resolve) => canary.close(resolve))
})

/** Posts to a URL through the guarded connection alone, past the check of the URL. */
async function postTo(url: string, resolve?: Resolve, ranges = ''): Promise<Outcome | null> {
  const connections = createConnections(createAddressGuard(parseRanges(ranges), resolve))
  try {
    const { origin } = new URL(url)
    return await post(connections.of('endpoint', origin), {
      path: '/',
      headers: {},
      body: '{}',
      timeoutMs: 3000,
    })
  } finally {
    await connections.closeAll()
  }
}

const resolver =
  (...answers: string[][]): Resolve =>
  (_hostname, callback) => {
    const [addresses = []] = answers.length > 1 ? answers.splice(0, 1) : answers
    callback(null, addresses.map(toLookup))
  }

const toLookup = (address: string): LookupAddress => ({
  address,
  family: address.includes(':') ? 6 : 4,
})

describe('the canary', () => {
  it('is reached when its range is opened, so that its silence means something', async () => {
    const outcome = await postTo(`http://127.0.0.1:${port}`, undefined, '127.0.0.0/8')
    expect(outcome).toMatchObject({ status: 204, errorClass: null })
    expect(seen).toHaveLength(1)
  })
})

describe('a special address', () => {
  it('has more than a hundred spellings here', () => {
    expect(new Set(refusedHosts).size).toBeGreaterThan(100)
  })

  it.each(refusedHosts)('%s can NOT be registered', (host) => {
    expect(() => parseEndpointUrl(`http://${host}:${port}/`, rules)).toThrow(RefusedAddressError)
  })

  it.each(refusedHosts)('%s can NOT be connected to', async (host) => {
    const outcome = await postTo(`http://${host}:${port}/`)
    expect(outcome).toMatchObject({ status: null, errorClass: 'refused_address' })
    expect(seen).toHaveLength(0)
  })

  it.each(refusedHosts.map((host) => new URL(`http://${host}`).hostname.replaceAll(/[[\]]/g, '')))(
    '%s can NOT hide behind a name',
    async (address) => {
      const outcome = await postTo(`http://partner.example:${port}/`, resolver([address]))
      expect(outcome).toMatchObject({ status: null, errorClass: 'refused_address' })
      expect(seen).toHaveLength(0)
    },
  )
})

describe('a public address', () => {
  it.each(publicAddresses)('%s is allowed', (address) => {
    expect(closed.allows(address)).toBe(true)
    const host = address.includes(':') ? `[${address}]` : address
    expect(parseEndpointUrl(`https://${host}/hook`, rules).hostname).toBe(host)
  })
})

describe('a name', () => {
  it('can NOT be rebound between the check and the connection', async () => {
    const rebinding = resolver(['93.184.215.14'], ['127.0.0.1'])
    const guard = createAddressGuard([], rebinding)
    await new Promise<void>((resolve, reject) => {
      guard.lookup('rebind.example', { all: true }, (error) => (error ? reject(error) : resolve()))
    })
    const outcome = await postTo(`http://rebind.example:${port}/`, rebinding)
    expect(outcome).toMatchObject({ status: null, errorClass: 'refused_address' })
    expect(seen).toHaveLength(0)
  })

  it.each([
    ['127.0.0.1', '93.184.215.14'],
    ['93.184.215.14', '127.0.0.1'],
    ['2606:4700:4700::1111', '::1'],
    ['93.184.215.14', '93.184.215.15', '10.0.0.1'],
  ])('with one special address among its addresses is special: %s, %s', async (...addresses) => {
    const outcome = await postTo(`http://mixed.example:${port}/`, resolver(addresses))
    expect(outcome).toMatchObject({ status: null, errorClass: 'refused_address' })
    expect(seen).toHaveLength(0)
  })

  it.each(['localhost', 'localhost.', 'LOCALHOST', 'LocalHost'])(
    'of this machine is refused wherever the system can resolve it: %s',
    async (name) => {
      const outcome = await postTo(`http://${name}:${port}/`)
      expect(['refused_address', 'name']).toContain(outcome?.errorClass)
      expect(seen).toHaveLength(0)
    },
  )

  it('that has no address is a fault of the name', async () => {
    const outcome = await postTo('http://nowhere.invalid/')
    expect(outcome).toMatchObject({ status: null, errorClass: 'name' })
  })
})

describe('a range that the operator opened', () => {
  it('lets its own addresses through, however they are written', () => {
    const guard = createAddressGuard(parseRanges('127.0.0.0/8, fd00::/8'))
    expect(['127.0.0.1', '127.9.9.9', '::ffff:127.0.0.1', 'fd12::1'].map(guard.allows)).toEqual([
      true, true, true, true,
    ])
  })

  it('opens nothing beside it', () => {
    const guard = createAddressGuard(parseRanges('10.1.0.0/16'))
    expect(['10.1.2.3', '10.2.0.1', '127.0.0.1', '::1', '192.168.0.1'].map(guard.allows)).toEqual([
      true, false, false, false, false,
    ])
  })

  it('judges a translated address by the one inside as well', () => {
    const guard = createAddressGuard(parseRanges('64:ff9b::/96'))
    expect(['64:ff9b::8.8.8.8', '64:ff9b::7f00:1', '64:ff9b::a00:1'].map(guard.allows)).toEqual([
      true, false, false,
    ])
  })
})

describe('a URL', () => {
  it.each([
    'https://user@partner.example/',
    'https://user:secret@partner.example/',
    'https://:secret@partner.example/',
    'https://partner.example@1.1.1.1/',
    'ftp://partner.example/',
    'file:///etc/passwd',
    'gopher://partner.example/',
    'javascript:alert(1)',
    'partner.example/hook',
    '//partner.example/hook',
    'https://',
    'https:///',
    'http://[fe80::1%25eth0]/',
    'http://999.999.999.999/',
    `https://partner.example/${'x'.repeat(2048)}`,
  ])('can NOT be %s', (url) => {
    expect(() => parseEndpointUrl(url, rules)).toThrow(EndpointUrlError)
  })

  it('keeps its port, path and query', () => {
    const url = parseEndpointUrl('https://partner.example:8443/hooks/1?a=b', rules)
    expect(url.href).toBe('https://partner.example:8443/hooks/1?a=b')
  })

  it('is https in production', () => {
    const production = { isProduction: true, guard: closed }
    expect(() => parseEndpointUrl('http://partner.example/', production)).toThrow(EndpointUrlError)
    expect(parseEndpointUrl('https://partner.example/', production).protocol).toBe('https:')
  })
})
