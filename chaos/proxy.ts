// The network between the service and PostgreSQL, as a listener that can be broken in two
// ways: cut, so that connections break and new ones are refused; or silent, so that they
// stay open while every byte is swallowed, for good, as behind a firewall that forgot them.
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

export type Proxy = {
  /** The same database, through the proxy. */
  url: string
  cut(): void
  silence(): void
  /** New connections go through again; those that were silenced stay dead. */
  heal(): void
  close(): Promise<void>
}

export async function startProxy(databaseUrl: string): Promise<Proxy> {
  const target = new URL(databaseUrl)
  const pairs = new Set<[Socket, Socket | null]>()
  let state: 'open' | 'cut' | 'silent' = 'open'

  const server = createServer((client) => {
    client.on('error', () => {})
    if (state === 'cut') return void client.resetAndDestroy()
    const upstream = state === 'open' ? connect(Number(target.port), target.hostname) : null
    const pair: [Socket, Socket | null] = [client, upstream]
    pairs.add(pair)
    client.once('close', () => {
      pairs.delete(pair)
      upstream?.destroy()
    })
    if (!upstream) return void client.resume()
    upstream.on('error', () => {})
    upstream.once('close', () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    for (const [client] of pairs) client.resetAndDestroy()
  }
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)

  return {
    url: url.href,
    cut: () => {
      state = 'cut'
      cut()
    },
    silence: () => {
      state = 'silent'
      for (const [client, upstream] of pairs) {
        client.unpipe().resume()
        upstream?.unpipe().resume()
      }
    },
    heal: () => {
      state = 'open'
    },
    close: async () => {
      cut()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
