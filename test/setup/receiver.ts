// A partner's side: a real HTTP server that keeps what arrives and answers as told.
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export type Received = {
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The port at the other end of the connection. */
  peer: number | undefined
  /** Milliseconds, of performance.now(). */
  at: number
}

export type Answer = (request: Received, response: ServerResponse, count: number) => void

export type Receiver = {
  url: string
  requests: Received[]
  /** How requests are answered from now on; 204 unless told. */
  answer(answer: Answer): void
  /** Waits until a condition holds. Rejects after a while. */
  until(condition: (requests: Received[]) => boolean, timeoutMs?: number): Promise<Received[]>
  close(): Promise<void>
}

export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (_request, response) => {
    response.writeHead(code, headers).end(body)
  }

export async function createReceiver(): Promise<Receiver> {
  const requests: Received[] = []
  const watchers = new Set<() => void>()
  let respond: Answer = status(204)
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      const received = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        peer: request.socket.remotePort,
        at: performance.now(),
      }
      requests.push(received)
      respond(received, response, requests.length)
      for (const watch of watchers) watch()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    answer: (answer) => {
      respond = answer
    },
    until: (condition, timeoutMs = 120_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(check)
          reject(new Error(`not so after ${timeoutMs} ms and ${requests.length} requests`))
        }, timeoutMs)
        const check = (): void => {
          if (!condition(requests)) return
          clearTimeout(timer)
          watchers.delete(check)
          resolve(requests)
        }
        watchers.add(check)
        check()
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  request.setEncoding('utf8')
  for await (const chunk of request) text += chunk as string
  return text
}

export type Payload = { type: string; timestamp: string; data: Record<string, unknown> }

/** The payload of a request, verified by the official library. Throws when it doesn't verify. */
export function verify(received: Received, secret: string): Payload {
  return new Webhook(secret).verify(received.body, received.headers as Record<string, string>) as Payload
}
