// What can go wrong with a database, each as how it begins and how it ends.
import pg from 'pg'
import type { Stage } from './stage.ts'

export type Fault = {
  name: string
  /** How long it lasts. */
  seconds: number
  begin(stage: Stage): Promise<void> | void
  end(stage: Stage): Promise<void> | void
  /** Played on a stage whose processes live by a clock that can be set. */
  needsClock?: boolean
  /** Why it can't be played here, if so. */
  obstacle?(stage: Stage): string | undefined
}

export const faults: Fault[] = [
  {
    name: 'restart',
    seconds: 3,
    begin: ({ postgres }) => postgres.restart(),
    end: () => {},
  },
  {
    name: 'kill',
    seconds: 4,
    begin: ({ postgres }) => postgres.killAndHold(),
    end: ({ postgres }) => postgres.release(),
  },
  {
    name: 'pause',
    seconds: 30,
    begin: ({ postgres }) => postgres.pause(),
    end: ({ postgres }) => postgres.resume(),
  },
  {
    name: 'connections',
    seconds: 5,
    begin: takeEveryConnection,
    end: giveConnectionsBack,
  },
  {
    name: 'read-only',
    seconds: 5,
    begin: ({ postgres }) => setReadOnly(postgres.query, 'on'),
    end: ({ postgres }) => setReadOnly(postgres.query, 'off'),
  },
  {
    name: 'disk-full',
    seconds: 8,
    begin: ({ postgres }) => postgres.fillDisk(),
    end: ({ postgres }) => postgres.emptyDisk(),
    obstacle: ({ postgres }) => (postgres.hasSmallDisk ? undefined : 'mounting a tmpfs needs root'),
  },
  {
    name: 'network-cut',
    seconds: 8,
    begin: ({ network }) => network.cut(),
    end: ({ network }) => network.heal(),
  },
  {
    name: 'network-silent',
    seconds: 12,
    begin: ({ network }) => network.silence(),
    end: ({ network }) => network.heal(),
  },
  {
    name: 'clock-steps',
    seconds: 8,
    needsClock: true,
    begin: ({ clock }) => clock?.set(3600),
    end: ({ clock }) => clock?.set(-3600),
    obstacle: ({ clock }) => (clock ? undefined : 'there is no libfaketime'),
  },
]

async function setReadOnly(query: Stage['postgres']['query'], value: 'on' | 'off'): Promise<void> {
  await query(`alter system set default_transaction_read_only = ${value}`)
  await query('select pg_reload_conf()')
}

const held = new Set<pg.Client>()

// The service loses the connections that it has, and finds none left.
async function takeEveryConnection({ postgres }: Stage): Promise<void> {
  const first = await hold(postgres.url)
  const end = performance.now() + 10_000
  for (let refusals = 0; refusals < 5 && performance.now() < end; ) {
    await first.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
      where usename like 'svc_%' and backend_type = 'client backend'`,
    )
    await hold(postgres.url).then(
      () => (refusals = 0),
      () => (refusals += 1),
    )
  }
}

async function hold(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  held.add(client)
  return client
}

async function giveConnectionsBack(): Promise<void> {
  await Promise.all([...held].map((client) => client.end().catch(() => {})))
  held.clear()
}
