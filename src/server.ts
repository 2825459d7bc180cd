// The public listener and the internal one, which only this machine reaches.
import { randomUUID } from 'node:crypto'
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
  createServer,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { ApiError, errorBody, helpLink, sendError } from './http/errors.ts'

export type Listener = {
  /** http://host:port, without a path. */
  url: string
  /** From now on every answer ends its connection, so that its caller goes elsewhere. */
  partFromCallers(): void
  /** Stops accepting, lets running requests finish for a while, then cuts what is left. */
  close(drainMs?: number): Promise<void>
}

/** How long callers may take, in milliseconds. */
export type Patience = {
  headers: number
  /** Headers and body. */
  request: number
  /** Neither side says anything. */
  silence: number
  /** From a request's first byte to its answer's last, however steadily either goes. */
  exchange: number
  /** How late the limits may be noticed. */
  check: number
}

// A client that dawdles holds a socket, not a worker, but sockets run out, too. Fifteen
// MiB in two minutes is a megabit a second. The silence is longer than an upload waits
// for its turn.
const usualPatience: Patience = {
  headers: 15_000,
  request: 120_000,
  silence: 45_000,
  exchange: 180_000,
  check: 5000,
}
/** Longer than the usual minute of a load balancer, so that it is the one to hang up. */
const keepAliveTimeout = 65_000
/** How long a running request may take to finish at shutdown. */
const usualDrainMs = 6000

export type ListenOptions = {
  /** Of callers at once; further ones are hung up on. */
  maxConnections?: number
  patience?: Partial<Patience>
  /** Whether this port has the pages of codes, for refusals to link to. */
  hasDocs?: boolean
}

export async function listen(
  handler: RequestListener,
  host: string,
  port: number,
  options: ListenOptions = {},
): Promise<Listener> {
  const patience = { ...usualPatience, ...options.patience }
  const running = createRunning()
  let isParting = false
  const serve: RequestListener = (request, response) => {
    if (isParting) response.shouldKeepAlive = false
    running.add(response)
    if (isWithoutHost(request)) answerWithoutHost(response, options)
    else handler(request, response)
  }
  const server = createServer(timeoutsOf(patience), serve)
  server.timeout = patience.silence
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket, options))
  const sweep = setInterval(() => cutSlow(running.all, patience.exchange), patience.check).unref()
  // Whoever asks before sending a body is told to go on only once somebody reads it.
  server.on('checkContinue', (request, response) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue()
    })
    serve(request, response)
  })
  // An expectation that nobody knows is left unmet, as HTTP allows, rather than refused.
  server.on('checkExpectation', serve)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${name === '0.0.0.0' ? '127.0.0.1' : name}:${address.port}`,
    partFromCallers: () => {
      isParting = true
      for (const { response } of running.all) response.shouldKeepAlive = false
    },
    close: async (drainMs = usualDrainMs) => {
      await close(server, drainMs)
      clearInterval(sweep)
    },
  }
}

const timeoutsOf = (patience: Patience): ServerOptions => ({
  headersTimeout: patience.headers,
  requestTimeout: patience.request,
  connectionsCheckingInterval: patience.check,
  keepAliveTimeout,
  // Checked in `listen` instead, where the refusal gets the envelope.
  requireHostHeader: false,
})

type Exchange = { response: ServerResponse; startedAt: number; place: number }

// In an array, where the last one takes the place of one that ends. A Map or Set that
// entries come to and go from is made anew every few hundred of them, and V8 chains the
// old ones to the new: the collector of young objects then keeps every request.
function createRunning(): { all: readonly Exchange[]; add(response: ServerResponse): void } {
  const all: Exchange[] = []
  const remove = ({ place }: Exchange): void => {
    const last = all.pop()
    if (!last || last.place === place) return
    all[place] = last
    last.place = place
  }
  return {
    all,
    add: (response) => {
      const exchange = { response, startedAt: performance.now(), place: all.length }
      all.push(exchange)
      response.once('close', () => remove(exchange))
    },
  }
}

// A caller that reads its answer byte by byte is never silent.
function cutSlow(running: readonly Exchange[], exchangeMs: number): void {
  const before = performance.now() - exchangeMs
  for (const { response, startedAt } of running) {
    if (startedAt < before) response.socket?.resetAndDestroy()
  }
}

// Bytes that aren't a request never reach the pipeline; they get the envelope all the same.
function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { hasDocs = false }: ListenOptions,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refused = refusalOf(error)
  const requestId = randomUUID()
  const body = errorBody(refused, requestId)
  socket.end(
    `HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\n` +
      (hasDocs ? `Link: ${helpLink(refused.code)}\r\n` : '') +
      `Connection: close\r\n\r\n${body}`,
  )
}

function refusalOf({ code }: NodeJS.ErrnoException): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout')
  return new ApiError('bad_request')
}

// HTTP/1.1 wants one; without it nobody can tell whom the request is for.
const isWithoutHost = (request: IncomingMessage): boolean =>
  request.httpVersion === '1.1' && request.headers.host === undefined

function answerWithoutHost(response: ServerResponse, { hasDocs = false }: ListenOptions): void {
  const refused = new ApiError('bad_request', 'The request has no Host header.')
  const requestId = randomUUID()
  response.setHeader('X-Request-Id', requestId)
  response.setHeader('Connection', 'close')
  if (hasDocs) response.setHeader('Link', helpLink(refused.code))
  sendError(response, refused, requestId)
}

async function close(server: Server, drainMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), drainMs)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  clearTimeout(timer)
}
