// The page at `/` of the internal port, where analysts write queries: Ruru, from our own
// files, so that it works without the internet. It needs no token; its queries do.

import type { NextFunction, Request, Response } from 'express'
import type {} from 'postgraphile/grafserv'

const welcome = `# Ask what was quoted, where, for how much and how fast.
# Put your token in the Headers tab below, in place of the dots; the schema is then
# listed at the left. docs/analytics.md answers ten questions.
query QuotesByStatus {
  quotes {
    totalCount
    groupedAggregates(groupBy: [STATUS]) {
      keys
      count
      average { fee turnaroundDays }
      p90 { hoursOpen }
    }
  }
}
`

// The package's types want every property, though all are optional.
type ClientConfig = NonNullable<NonNullable<GraphileConfig.Preset['ruru']>['clientConfig']>

// The page runs what it came with and talks to us alone, whatever somebody pastes into it.
const policy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function ideHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Content-Security-Policy', policy)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  next()
}

export const idePreset: GraphileConfig.Preset = {
  ruru: {
    htmlParts: {
      metaTags: (tags: string) => `${tags}\n<link rel="icon" href="data:,">`,
      titleTag: '<title>Analytics</title>',
    },
    clientConfig: {
      defaultQuery: welcome,
      defaultHeaders: '{\n  "Authorization": "Bearer svc_analyst_..."\n}',
      isHeadersEditorEnabled: true,
      showPersistHeadersSettings: true,
    } as ClientConfig,
  },
}
