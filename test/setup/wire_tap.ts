// A listener between the API and PostgreSQL that counts what goes over the wire: each
// Sync or simple Query message is one round trip, each Execute or Query one statement.
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

export type WireTap = {
  /** The same database, through the tap. */
  url: string
  roundTrips(): number
  statements(): number
  reset(): void
  close(): Promise<void>
}

export async function tapWire(databaseUrl: string, port = 0): Promise<WireTap> {
  const target = new URL(databaseUrl)
  const count = { roundTrips: 0, statements: 0 }
  const sockets = new Set<Socket>()

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const read = frontendMessages((type) => {
      if (type === 'S' || type === 'Q') count.roundTrips += 1
      if (type === 'E' || type === 'Q') count.statements += 1
    })
    client.on('data', (chunk: Buffer) => read(chunk))
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))

  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    roundTrips: () => count.roundTrips,
    statements: () => count.statements,
    reset: () => Object.assign(count, { roundTrips: 0, statements: 0 }),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

// The first message has no type byte: the start-up packet. Every later one is a type,
// a length that counts itself, and the rest.
function frontendMessages(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let pending = Buffer.alloc(0)
  let isStarted = false
  return (chunk) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const header = isStarted ? 1 : 0
      if (pending.length < header + 4) return
      const end = header + pending.readUInt32BE(header)
      if (pending.length < end) return
      if (isStarted) onMessage(String.fromCharCode(pending[0] ?? 0))
      isStarted = true
      pending = pending.subarray(end)
    }
  }
}
