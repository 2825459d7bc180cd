// What the operator's monitoring reads at /metrics, in Prometheus's format. Names of
// operations and statuses only: no tenant, no key, no path's parameters.
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { WebhookMetrics } from '../worker/metrics.ts'

export type Metrics = {
  /** Counts a request; `operation` is undefined where no operation was reached. */
  observeRequest(operation: string | undefined, status: number, seconds: number): void
  /** Counts a statement: seconds until it had a connection, and until it was answered. */
  observeStatement(name: string, queued: number, database: number): void
  /** Adds what is under way and waiting to what is read. */
  watchDepths(read: () => Record<string, number>): void
  /** Adds the worker of this process to what is read. */
  watchWorker(read: () => Promise<WebhookMetrics>): void
  contentType: string
  text(): Promise<string>
}

// From a tenth of the usual read to the statement time-out.
const secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request of the public API.',
    labelNames: ['operation', 'status'],
    buckets: secondsBounds,
    registers: [registry],
  })
  const statements = new Histogram({
    name: 'database_statement_duration_seconds',
    help: 'Time of a statement: waiting for a connection, and in the database.',
    labelNames: ['operation', 'part'],
    buckets: secondsBounds,
    registers: [registry],
  })
  let refreshWorker = async (): Promise<void> => {}
  return {
    observeRequest: (operation, status, seconds) =>
      requests.observe({ operation: operation ?? 'none', status: String(status) }, seconds),
    observeStatement: (operation, queued, database) => {
      statements.observe({ operation, part: 'queue' }, queued)
      statements.observe({ operation, part: 'database' }, database)
    },
    watchDepths: (read) => {
      const depths = new Gauge({
        name: 'database_statements',
        help: 'Statements in pipelines, connections of the pool in use, and calls that wait for one.',
        labelNames: ['where'],
        registers: [registry],
        collect: () => {
          for (const [where, depth] of Object.entries(read())) depths.set({ where }, depth)
        },
      })
    },
    watchWorker: (read) => {
      const show = workerGauges(registry)
      // Without a database the queue can't be looked at; the rest is still worth reading.
      refreshWorker = () => read().then(show, () => {})
    },
    contentType: registry.contentType,
    text: async () => {
      await refreshWorker()
      return registry.metrics()
    },
  }
}

function workerGauges(registry: Registry): (metrics: WebhookMetrics) => void {
  const gauge = (name: string, help: string, ...labelNames: string[]): Gauge =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const queue = gauge('webhook_queue', 'The outbox as the database sees it.', 'what')
  const attempts = gauge('webhook_attempts', 'Attempts since the start, by outcome.', 'outcome')
  const delays = gauge(
    'webhook_delivery_delay_seconds',
    'First successes since the start, by seconds from commit to delivery, up to each bound.',
    'le',
  )
  return ({ queue: figures, attempts: outcomes, delay }) => {
    for (const [what, figure] of Object.entries(figures)) queue.set({ what }, Number(figure))
    for (const [outcome, count] of Object.entries(outcomes)) attempts.set({ outcome }, count)
    for (const [index, count] of delay.counts.entries()) {
      delays.set({ le: String(delay.bounds[index] ?? '+Inf') }, count)
    }
  }
}
