// A balancer as deployments have them: it asks each process for readiness every so often,
// sends requests to those that are ready in turn, and keeps connections to them. It never
// sends a request twice: whatever breaks shows.
import { type IncomingMessage, type ServerResponse, Agent, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Backend = { api: string; internal: string }

export type Balancer = {
  url: string
  add(backend: Backend): Promise<void>
  remove(backend: Backend): void
  close(): Promise<void>
}

/** Well below the time that a process goes on serving after it said that it will stop. */
const checkEveryMs = 1000

export async function startBalancer(): Promise<Balancer> {
  const backends = new Map<Backend, boolean>()
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let turn = 0

  const check = async (backend: Backend): Promise<void> => {
    const isReady = await fetch(`${backend.internal}/readyz`, { signal: AbortSignal.timeout(2 * checkEveryMs) }).then(({ ok }) => ok, () => false)
    if (backends.has(backend)) backends.set(backend, isReady)
  }
  const closing = new AbortController()
  const checkOn = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await Promise.all([...backends.keys()].map(check))
      await sleep(checkEveryMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  }
  const checking = checkOn()

  const server = createServer((request, response) => {
    const ready = [...backends].filter(([, isReady]) => isReady).map(([backend]) => backend)
    const backend = ready[(turn += 1) % ready.length]
    if (backend) forward(agent, backend, request, response)
    else response.writeHead(502).end('nobody is ready')
  })
  // Else it might hang up just as a caller sends, and that would be nobody's fault but its own.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (backend) => {
      backends.set(backend, false)
      return check(backend)
    },
    remove: (backend) => void backends.delete(backend),
    close: async () => {
      closing.abort()
      await checking
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function forward(
  agent: Agent,
  { api }: Backend,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const onward = send(api + (request.url ?? ''), { agent, method: request.method, headers: request.headers }, (answer) => {
    const { connection: _own, ...headers } = answer.headers
    response.writeHead(answer.statusCode ?? 502, headers)
    answer.pipe(response)
  })
  onward.once('error', (error) => {
    if (!response.headersSent) response.writeHead(502)
    response.end(`the process broke off: ${error.message}`)
  })
  request.pipe(onward)
}
