// Short reads go out one behind another on a few connections, without waiting for the
// answers of those before. Each is a transaction of its own: an error stays with its
// statement. Nothing that may wait for a lock belongs here, as it would hold up all
// that follow on its connection.
import type { Writable } from 'node:stream'
import pg from 'pg'
import { unavailable } from '../http/errors.ts'

export type Pipeline = {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<InTurn<Row>>
  /** Statements on their way. */
  depth(): number
  close(): Promise<void>
}

/** `turnAt`: when the answer before was done, or the statement sent, by performance.now(). */
export type InTurn<Row extends pg.QueryResultRow> = { rows: Row[]; turnAt: number }

/** A choice, not a measurement: few share well, and one slow read holds up a third. */
const connections = 3

// A read takes a millisecond: so many are answered within a second or two, and whoever
// comes on top hears at once that it is too much.
const mostOnTheirWay = 2000

// More gain nothing by it, and a slow one among them holds up the rest.
const mostTogether = 16

type Lane = { client: Promise<pg.Client> | null; depth: number; lastDone: number }

function writeTogether(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}

export function createPipeline(options: pg.ClientConfig): Pipeline {
  const lanes: Lane[] = Array.from({ length: connections }, () => ({
    client: null,
    depth: 0,
    lastDone: 0,
  }))
  const depth = (): number => lanes.reduce((sum, lane) => sum + lane.depth, 0)
  let laneOfTurn: Lane | null = null
  let takenOfTurn = 0
  let isClosed = false

  // Statements of one turn of the event loop go to one connection, in one write: a write
  // is the dearest thing that a read does.
  function takeLane(): Lane {
    if (!laneOfTurn) setImmediate(() => (laneOfTurn = null))
    if (!laneOfTurn || takenOfTurn === mostTogether) {
      laneOfTurn = lanes.reduce((best, other) => (other.depth < best.depth ? other : best))
      takenOfTurn = 0
    }
    takenOfTurn += 1
    return laneOfTurn
  }

  // A connection that broke fails what was on it, and the next statement makes another.
  async function open(lane: Lane): Promise<pg.Client> {
    const client = new pg.Client({ ...options, pipeline: true })
    const forget = (): void => {
      if (lane.client === opened) lane.client = null
    }
    client.on('error', forget)
    client.on('end', forget)
    const opened = (lane.client = client.connect().then(() => client))
    try {
      return await opened
    } catch (error) {
      forget()
      throw error
    }
  }

  return {
    query: async <Row extends pg.QueryResultRow>(query: pg.QueryConfig) => {
      if (isClosed || depth() >= mostOnTheirWay) throw unavailable()
      const lane = takeLane()
      lane.depth += 1
      try {
        const client = await (lane.client ?? open(lane))
        writeTogether(client)
        const sentAt = performance.now()
        const { rows } = await client.query<Row>(query)
        return { rows, turnAt: Math.max(sentAt, lane.lastDone) }
      } finally {
        lane.depth -= 1
        lane.lastDone = performance.now()
      }
    },
    depth,
    close: async () => {
      isClosed = true
      const end = async ({ client }: Lane): Promise<void> => {
        const opened = await client?.catch(() => null)
        await opened?.end()
      }
      await Promise.all(lanes.map(end))
    },
  }
}
