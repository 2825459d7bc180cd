// `npm run bench`: the product beside what a good team would write by hand, on one
// database and one machine, in turns, so that whatever else the machine does hits all
// alike. Ratios are worth reading; absolute numbers are this machine's.
//   --quick        shorter and fewer turns
//   --only NAME    one operation, such as read_quote; may be given again
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { existsSync, openSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAppraiser, createProducts } from '../test/setup/catalogue.ts'
import { type TestDatabase, createDatabase, createTenant, digestOf } from '../test/setup/database.ts'
import { serialMark, type Job, type Measured } from './generator.ts'
import { type Operation, type Target, httpRequests, operations, rows } from './operations.ts'
import { type Compared, type Result, writeReport } from './report.ts'
import { fill } from './seed.ts'
import { startServer } from './server.ts'

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', multiple: true } },
})
const turn = flags.quick
  ? { repeats: 3, warmUpSeconds: 1, seconds: 2 }
  : { repeats: 5, warmUpSeconds: 1, seconds: 4 }
const chosen = operations.filter(({ name }) => !flags.only || flags.only.includes(name))
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

type Contender = { name: string; url: URL; target: Target; child: ChildProcess }

/** The packages that only the benchmark needs are installed on first use. */
function installOnce(): void {
  if (existsSync(here('node_modules/fastify'))) return
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: here('.'), stdio: 'inherit' })
}

const folder = await mkdtemp(join(tmpdir(), 'bench-'))

function start(name: string, script: string, args: string[], environment: Record<string, string>) {
  const log = openSync(join(folder, `${name}.log`), 'a')
  const child = spawn(process.execPath, [here(script), ...args], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', log],
  })
  const { promise, resolve, reject } = Promise.withResolvers<URL>()
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    const line = /^ready (\{.*\})$/m.exec(output)?.[1]
    if (line) resolve(new URL((JSON.parse(line) as { api: string }).api))
  })
  child.once('exit', () => reject(new Error(`${name} ended; see ${folder}`)))
  return { child, url: promise }
}

async function seedTarget(db: TestDatabase): Promise<Target> {
  const tenant = await createTenant(db)
  await createProducts(db, tenant)
  for (const fee of ['450.00', '475.00', '500.00']) {
    await createAppraiser(db, tenant, { covers: [['CA', 'Los Angeles'], ['VA']], fees: [[fee, 5, 'URAR', 'CA']] })
  }
  await fill(db.owner, tenant.id, rows)
  const { rows: quotes } = await db.owner.query<{ id: string }>(
    'select id from app.quotes where tenant_id = $1 order by id limit 1000',
    [tenant.id],
  )
  return { key: tenant.key, quoteIds: quotes.map(({ id }) => id) }
}

/** A login that may read keys, as a hand-written service would, and plans as the API's does. */
async function createPeerRole(db: TestDatabase): Promise<string> {
  await db.owner.query(`create role svc_peer login password 'peer' in role svc_api`)
  await db.owner.query('alter role svc_peer set enable_seqscan = off')
  await db.owner.query('grant usage on schema auth to svc_peer')
  await db.owner.query('grant select on auth.api_keys to svc_peer')
  await db.owner.query('create policy select_peer on auth.api_keys for select to svc_peer using (true)')
  const url = new URL(db.urls.api)
  url.username = 'svc_peer'
  url.password = 'peer'
  return url.href
}

/** An answer without what differs from one tenant and moment to the next. */
function comparable(text: string): unknown {
  const varying = new Set(['id', 'created_at', 'updated_at'])
  return JSON.parse(text, (key, value: unknown) => (varying.has(key) ? typeof value : value))
}

async function firstAnswer({ url, target }: Contender, operation: Operation) {
  const [call] = operation.calls(target)
  const response = await fetch(new URL(`/public/v1${call?.path}`, url), {
    method: call?.method ?? 'GET',
    headers: {
      Authorization: `Bearer ${target.key}`,
      ...(call?.body ? { 'Content-Type': 'application/json', 'Idempotency-Key': `first-${operation.name}` } : {}),
    },
    ...(call?.body ? { body: JSON.stringify(call.body).replaceAll(serialMark, '0') } : {}),
  })
  return { status: response.status, text: await response.text() }
}

async function constantsOf(contenders: Contender[]) {
  const constants = []
  for (const operation of operations) {
    const [reference, ...others] = await Promise.all(contenders.map((one) => firstAnswer(one, operation)))
    for (const other of others) {
      const isEqual = other.status === reference?.status &&
        isDeepStrictEqual(comparable(other.text), comparable(reference.text))
      if (!isEqual) throw new Error(`${operation.name}: ${reference?.status} ${reference?.text}\n${other.status} ${other.text}`)
    }
    const [call] = operation.calls(contenders[0]!.target)
    constants.push({
      method: call?.method,
      path: `/public/v1${call?.path.replace(/\?.*$/, '').replace(/\/quotes\/.*/, '/quotes/:id')}`,
      status: reference?.status,
      bytes: Buffer.byteLength(reference?.text ?? ''),
    })
  }
  return constants
}

const generator = fork(here('generator.ts'))
let serial = 0

function measure(contender: Contender, operation: Operation, rate: number | null): Promise<Measured> {
  const job: Job = {
    host: contender.url.hostname,
    port: Number(contender.url.port),
    requests: httpRequests(operation, contender.target),
    connections: operation.connections,
    warmUpSeconds: turn.warmUpSeconds,
    seconds: turn.seconds,
    rate,
    serial,
  }
  return new Promise((resolve, reject) => {
    generator.once('message', (answer: { measured?: Measured; error?: string }) => {
      if (!answer.measured) return reject(new Error(answer.error))
      serial = answer.measured.serial
      const bad = Object.keys(answer.measured.statuses).filter((status) => !status.startsWith('2'))
      if (bad.length > 0) return reject(new Error(`${contender.name} answered ${bad.join(', ')} to ${operation.name}`))
      resolve(answer.measured)
    })
    generator.send(job)
  })
}

const hasPgbench = ((): boolean => {
  try {
    execFileSync('pgbench', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    console.log('pgbench is not here, so the limit is left out (Debian: apt-get install postgresql-15).')
    return false
  }
})()

let limitRuns = 0

/** Calls of the same function a second, straight from pgbench. */
async function measureLimit(db: TestDatabase, target: Target, operation: Operation): Promise<number> {
  const { call, scope, args } = operation.limit(target)
  const script = join(folder, `${operation.name}.sql`)
  const entry = `auth.enter('\\x${digestOf(target.key).toString('hex')}'::bytea, '${scope.replace(':', ":' || '")}')`
  limitRuns += 1
  await writeFile(
    script,
    `\\set serial random(1, 4000000000000000)\nselect reply.status, reply.body from ${call}(${[entry, ...args].join(', ')}) as reply;\n`,
  )
  const child = spawn('pgbench', [
    '-n', '-M', 'prepared', '-c', String(operation.limitClients), '-T', String(Math.ceil(turn.seconds + turn.warmUpSeconds)),
    '--random-seed', String(process.pid * 1000 + limitRuns), '-f', script, db.urls.api,
  ])
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await new Promise((resolve) => child.once('close', resolve))
  const tps = /tps = ([\d.]+)/.exec(output)?.[1]
  if (!tps) throw new Error(output.slice(-2000))
  return Number(tps)
}

async function compare(contenders: Contender[], db: TestDatabase, operation: Operation): Promise<Compared> {
  const results: Result[] = contenders.map(({ name }) => ({ name, perSecond: [], p99: [], p50: [] }))
  const limit: Result = { name: 'limit (pgbench)', perSecond: [], p99: [], p50: [] }
  const single = operations.find(({ name }) => name === operation.single)
  const singles: number[] = []
  for (let repeat = 0; repeat < turn.repeats; repeat += 1) {
    for (const [index, contender] of contenders.entries()) {
      results[index]?.perSecond.push((await measure(contender, operation, null)).perSecond)
    }
    if (single) singles.push((await measure(contenders[0]!, single, null)).perSecond)
    if (hasPgbench) limit.perSecond.push(await measureLimit(db, contenders[0]!.target, operation))
  }
  for (let repeat = 0; repeat < Math.ceil(turn.repeats / 2); repeat += 1) {
    for (const [index, contender] of contenders.entries()) {
      const result = results[index]!
      const half = Math.max(1, result.perSecond.toSorted((a, b) => a - b)[Math.floor(turn.repeats / 2)]! / 2)
      const measured = await measure(contender, operation, half)
      result.p50.push(measured.p50)
      result.p99.push(measured.p99)
    }
  }
  return { operation, results: hasPgbench ? [...results, limit] : results, singles }
}

installOnce()
const stop = await startServer()
const db = await createDatabase()
const children: ChildProcess[] = [generator]
try {
  const peerUrl = await createPeerRole(db)
  const contenders: Contender[] = []
  const add = async (name: string, script: string, args: string[], environment: Record<string, string>) => {
    const { child, url } = start(name, script, args, environment)
    children.push(child)
    const target = await seedTarget(db)
    contenders.push({ name, child, target, url: await url })
  }
  await add('ours', '../src/main.ts', ['--only', 'server'], {
    API_DATABASE_URL: db.urls.api,
    ANALYTICS_DATABASE_URL: db.urls.analyst,
    DATA_DIR: folder,
    PORT: '0',
    INTERNAL_PORT: '0',
    RATE_LIMIT_PER_MINUTE: '1000000',
  })
  await add('Express peer', 'peers/express.ts', [], { API_DATABASE_URL: peerUrl })
  await add('Fastify peer', 'peers/fastify.ts', [], { API_DATABASE_URL: peerUrl })
  await db.owner.query('vacuum analyze')
  const constants = await constantsOf(contenders)
  const floor = start('floor', 'peers/floor.ts', [], { CONSTANTS: JSON.stringify(constants) })
  children.push(floor.child)
  contenders.push({ name: 'floor', child: floor.child, url: await floor.url, target: contenders[0]!.target })

  const all: Compared[] = []
  for (const operation of chosen) {
    all.push(await compare(contenders, db, operation))
    const report = writeReport(all, turn)
    console.log(report.text)
    writeFileSync(here('results.md'), report.text)
    writeFileSync(here('results.svg'), report.plot)
  }
} finally {
  for (const child of children) child.kill()
  await db.close()
  await stop()
  await rm(folder, { recursive: true, force: true })
}
