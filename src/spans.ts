// Spans for OpenTelemetry, sent as OTLP over HTTP in JSON when the standard variables name
// a collector. The official packages weigh 49 MB for what is a POST of a list here. Spans hold
// operations, statuses and durations: what a log line holds, and nothing else. A collector
// that is slow or away costs spans, never a request.
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { describeError } from './log.ts'
import { type TraceContext, isSampled } from './trace.ts'

export type Span = {
  name: string
  kind: 'server' | 'client'
  context: TraceContext
  endedAt: number
  durationMs: number
  isError: boolean
  attributes: Record<string, string | number | undefined>
}

export type Spans = {
  record(span: Span): void
  /** Sends what is left. */
  close(): Promise<void>
}

export type SpanSettings = Pick<
  Config,
  | 'OTEL_SDK_DISABLED'
  | 'OTEL_TRACES_EXPORTER'
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_HEADERS'
  | 'OTEL_EXPORTER_OTLP_TIMEOUT'
  | 'OTEL_SERVICE_NAME'
  | 'OTEL_RESOURCE_ATTRIBUTES'
>

/** As OpenTelemetry's own batches are. */
const mostInBatch = 512
const mostWaiting = 2048
const flushMs = 5000

const noSpans: Spans = { record: () => {}, close: async () => {} }

/** An exporter for the environment; one that does nothing where no collector is named. */
export function createSpans(settings: SpanSettings, log: Logger): Spans {
  const url = collectorUrl(settings)
  if (url === undefined) return noSpans
  const resource = { attributes: attributesOf(resourceOf(settings)) }
  const headers = { 'Content-Type': 'application/json', ...pairsOf(settings.OTEL_EXPORTER_OTLP_HEADERS) }
  let waiting: Span[] = []
  let sending: Promise<void> = Promise.resolve()

  const post = async (spans: Span[]): Promise<void> => {
    const scope = { name: 'appraisal-public-api' }
    const body = { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(toOtlp) }] }] }
    const signal = AbortSignal.timeout(settings.OTEL_EXPORTER_OTLP_TIMEOUT)
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`the collector answered ${response.status}`)
  }
  const flush = (): Promise<void> => {
    const batch = waiting
    waiting = []
    if (batch.length === 0) return sending
    sending = sending
      .then(() => post(batch))
      .catch((error: unknown) => log.warn({ err: describeError(error), spans: batch.length }, 'spans were lost'))
    return sending
  }
  const timer = setInterval(() => void flush(), flushMs)
  timer.unref()

  return {
    record: (span) => {
      if (!isSampled(span.context) || waiting.length >= mostWaiting) return
      waiting.push(span)
      if (waiting.length === mostInBatch) void flush()
    },
    close: () => {
      clearInterval(timer)
      return flush()
    },
  }
}

function collectorUrl(settings: SpanSettings): string | undefined {
  const isOff = settings.OTEL_SDK_DISABLED === 'true' || settings.OTEL_TRACES_EXPORTER === 'none'
  const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, '')
  const url = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}/v1/traces`)
  return isOff ? undefined : url
}

const resourceOf = (settings: SpanSettings): Record<string, string> => ({
  'service.name': settings.OTEL_SERVICE_NAME,
  ...pairsOf(settings.OTEL_RESOURCE_ATTRIBUTES),
})

/** `a=1,b=2`, the values percent-encoded. */
const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair.includes('='))
      .map((pair) => [
        pair.slice(0, pair.indexOf('=')).trim(),
        decodeURIComponent(pair.slice(pair.indexOf('=') + 1).trim()),
      ]),
  )

const kinds = { server: 2, client: 3 }
const failed = 2

function toOtlp({ name, kind, context, endedAt, durationMs, isError, attributes }: Span): object {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(context.parentId ? { parentSpanId: context.parentId } : {}),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(endedAt - durationMs),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: attributesOf(attributes),
    status: isError ? { code: failed } : {},
  }
}

// Nanoseconds since 1970 are more than a double holds.
const nanoseconds = (milliseconds: number): string =>
  String(BigInt(Math.round(milliseconds * 1000)) * 1000n)

function attributesOf(values: Span['attributes']): object[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(Math.round(value)) } : { stringValue: value },
    }))
}
