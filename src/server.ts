// The public listener and the internal one, which only this machine reaches.
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestListener } from 'node:http'

export type Listener = {
  /** http://host:port, without a path. */
  url: string
  /** Stops accepting, lets running requests finish, then cuts what is left. */
  close(): Promise<void>
}

/** How long a running request may take to finish at shutdown. */
const drainMs = 8000

export async function listen(
  handler: RequestListener,
  host: string,
  port: number,
): Promise<Listener> {
  const server = createServer(handler)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${name === '0.0.0.0' ? '127.0.0.1' : name}:${address.port}`,
    close: () => close(server),
  }
}

async function close(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), drainMs)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  clearTimeout(timer)
}
