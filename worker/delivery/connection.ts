// Kept-alive connections to one endpoint. The guard sits in the connector, so that no
// socket is opened to an address that it hasn't seen, and connections of endpoints are
// never shared: one that hangs takes up its own.
import { isIP } from 'node:net'
import { Pool, buildConnector } from 'undici'
import { type AddressGuard, RefusedAddressError } from '../../src/webhooks/address_guard.ts'
import { mostRoom } from './lane.ts'

/** A TCP or TLS handshake that takes longer is as good as none. */
const connectTimeoutMs = 10_000

export type Connections = {
  /** Those of an endpoint to the origin of its URL. */
  of(endpointId: string, origin: string): Pool
  close(endpointId: string): void
  closeAll(): Promise<void>
}

export function createConnections(guard: AddressGuard): Connections {
  const open = new Map<string, Pool>()
  return {
    of: (endpointId, origin) => {
      const pool = open.get(endpointId) ?? openConnections(origin, guard)
      open.set(endpointId, pool)
      return pool
    },
    close: (endpointId) => {
      const pool = open.get(endpointId)
      open.delete(endpointId)
      void pool?.destroy()
    },
    closeAll: async () => {
      await Promise.all([...open.values()].map((pool) => pool.destroy()))
      open.clear()
    },
  }
}

function openConnections(origin: string, guard: AddressGuard): Pool {
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    lookup: guard.lookup as never,
  } as buildConnector.BuildOptions)

  return new Pool(origin, {
    connections: mostRoom,
    // Both are covered by the attempt's own, total time-out.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) => {
      // A literal address is never looked up.
      if (isIP(options.hostname) !== 0 && !guard.allows(options.hostname)) {
        callback(new RefusedAddressError(options.hostname, options.hostname), null)
        return
      }
      connect(options, callback)
    },
  })
}
