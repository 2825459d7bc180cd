// A proxy before the API that tells a test of each request and can hold it up, answer in
// the API's place, or lose the answer: what networks do to clients.
import { once } from 'node:events'
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  createServer,
} from 'node:http'
import type { AddressInfo } from 'node:net'

export type Passing = {
  headers: IncomingHttpHeaders
  body: string
  /** Lets the request reach the API; its answer is not sent yet. */
  forward(): Promise<void>
}

/** An answer in the API's place, "lost" for none at all. Nothing: the API's own answer. */
export type Interference = { status: number; headers?: Record<string, string>; body: object } | 'lost'

export type OnRequest = (passing: Passing) => Promise<Interference | void>

export type Proxy = { url: string; close(): Promise<void> }

export async function createProxy(target: string, onRequest: OnRequest): Promise<Proxy> {
  const server = createServer((request, response) => {
    // Whoever was killed doesn't wait for an answer.
    pass(target, onRequest, request, response).catch(() => request.socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function pass(
  target: string,
  onRequest: OnRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  let answer: Promise<Response> | undefined
  const forward = (): Promise<Response> => (answer ??= ask(target, request, body))
  const { headers } = request
  const instead = await onRequest({ headers, body, forward: async () => void (await forward()) })
  if (instead === 'lost') {
    request.socket.destroy()
  } else if (instead) {
    response.writeHead(instead.status, { 'Content-Type': 'application/json', ...instead.headers })
    response.end(JSON.stringify(instead.body))
  } else {
    const own = await forward()
    response.writeHead(own.status, { 'Content-Type': own.headers.get('content-type') ?? '' })
    response.end(await own.text())
  }
}

function ask(target: string, request: IncomingMessage, body: string): Promise<Response> {
  const { connection: _, host: __, 'content-length': ___, ...headers } = request.headers
  return fetch(target + request.url, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body === '' ? {} : { body }),
  })
}
