// Tells the process that started a server where it listens.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export function announce(server: Server): void {
  server.on('listening', () => {
    const { port } = server.address() as AddressInfo
    console.log(`ready ${JSON.stringify({ api: `http://127.0.0.1:${port}` })}`)
  })
}
