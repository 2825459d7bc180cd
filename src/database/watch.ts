// Notices a database that has gone silent: paused, hung, or behind a network that swallows
// packets. Its connections look open then, and whoever waits on one waits for minutes. So
// one connection asks every second; when no answer comes, from there or to anybody else,
// every connection made through here is cut, those who wait learn it at once, and who
// comes later is refused until the database speaks again.
import { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'

export type Watch = {
  /** Whether the database answered when it was last asked. */
  isUp(): boolean
  /** For pg's option `stream`: connections made with it are cut when the database is silent. */
  stream(): Socket
  /** Somebody got an answer from the database just now. */
  noteAnswer(): void
  /** Calls a listener each time that the database goes silent. */
  onDown(listener: () => void): void
  close(): Promise<void>
}

export type WatchOptions = {
  url: string
  log: Logger
  applicationName: string
  everyMs?: number
  patienceMs?: number
}

/** Together below the five seconds in which every request is answered. */
const defaultEveryMs = 1000
const defaultPatienceMs = 2500

/** Starts to watch. Until the first silence the database counts as up. */
export function watchDatabase(options: WatchOptions): Watch {
  const { log, everyMs = defaultEveryMs } = options
  const closing = new AbortController()
  const sockets = new Set<Socket>()
  const listeners: (() => void)[] = []
  const probe = createProbe(options)
  let isUp = true
  let answeredAt = 0

  const look = async (): Promise<void> => {
    const askedAt = performance.now()
    const answers = (await probe.ask()) || answeredAt > askedAt
    if (closing.signal.aborted) return
    if (answers && !isUp) log.info('the database answers again')
    if (!answers && isUp) log.warn({ reason: probe.lastFault() }, 'the database does not answer')
    // Again at each look: somebody may have connected in between.
    if (!answers) cut()
    isUp = answers
  }
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
    for (const listener of listeners) listener()
  }
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await look()
      await sleep(everyMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  }
  const running = run()

  return {
    isUp: () => isUp,
    stream: () => {
      const socket = new Socket()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return socket
    },
    noteAnswer: () => {
      answeredAt = performance.now()
    },
    onDown: (listener) => void listeners.push(listener),
    close: async () => {
      closing.abort()
      probe.close()
      for (const socket of sockets) socket.destroy()
      await running
    },
  }
}

type Probe = {
  /** Whether the database answers, in time, to a connection of its own. */
  ask(): Promise<boolean>
  lastFault(): string | undefined
  close(): void
}

function createProbe({ url, applicationName, patienceMs = defaultPatienceMs }: WatchOptions): Probe {
  let client: pg.Client | null = null
  let socket: Socket | null = null
  let fault: string | undefined

  const open = async (): Promise<pg.Client> => {
    const opened = new pg.Client({
      connectionString: url,
      application_name: applicationName,
      stream: () => (socket = new Socket()),
    })
    opened.on('error', () => {
      if (client === opened) client = null
    })
    await opened.connect()
    client = opened
    return opened
  }
  const drop = (): void => {
    client = null
    socket?.destroy()
  }
  const once = async (): Promise<void> => {
    await (client ?? (await open())).query('select')
  }

  return {
    // A connection that broke says nothing of the database: a new one is tried.
    ask: async () => {
      const deadline = silence(patienceMs)
      try {
        for (const isLast of [false, true]) {
          const outcome = await Promise.race([once().then(() => 'answer', speaks), deadline.over])
          if (outcome === 'answer') return true
          fault = outcome
          drop()
          if (isLast || outcome === noAnswer) return false
        }
        return false
      } finally {
        deadline.cancel()
      }
    },
    lastFault: () => fault,
    close: drop,
  }
}

const noAnswer = 'no answer in time'

// A refusal with a state of SQL's is an answer: too many connections, say. Only those of
// class 57 say that the server is on its way up or down.
function speaks(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('57') && code !== 'EPIPE' ? 'answer' : message
}

// When this process was busy for so long itself, the answer may have arrived unread: it
// gets one turn more.
function silence(milliseconds: number): { over: Promise<string>; cancel(): void } {
  const cancelling = new AbortController()
  const over = sleep(milliseconds, undefined, { signal: cancelling.signal })
    .then(() => nextTurn())
    .then(
      () => noAnswer,
      () => noAnswer,
    )
  return { over, cancel: () => cancelling.abort() }
}
