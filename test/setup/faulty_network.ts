// A network between the API and PostgreSQL that can be cut.
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

export type FaultyNetwork = {
  /** The same database, through this network. */
  url: string
  /** Resets every connection. */
  cut(): void
  close(): Promise<void>
}

export async function createFaultyNetwork(databaseUrl: string): Promise<FaultyNetwork> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to] of [[client, upstream], [upstream, client]] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy()
    sockets.clear()
  }
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    cut,
    close: async () => {
      cut()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
