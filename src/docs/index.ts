// What stands at /docs on the public port: the trial page, the guides, a page for each
// error code, and the files that they load. All of it comes from this machine.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Handler } from '../http/run.ts'
import { errorFiles } from './errors.ts'
import { type File, fileHandler, html } from './files.ts'
import { guideFiles } from './guides.ts'
import { type Trial, trialPage } from './trial.ts'

/** Address -> handler of GET. */
export function docsHandlers(trial: Trial): Map<string, Handler> {
  const page = { type: html, read: async () => trialPage(trial) }
  const files: File[] = [
    { path: '/docs', ...page },
    { path: '/docs/', ...page },
    ...guideFiles(),
    ...errorFiles(),
    ...assets(),
  ]
  return new Map(files.map((file) => [file.path, fileHandler(file, trial)]))
}

const own = fileURLToPath(new URL('assets', import.meta.url))
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'

const assets = (): File[] => [
  asset(own, 'icon.svg', 'image/svg+xml'),
  asset(own, 'page.css', style),
  asset(own, 'scheme.js', script),
  asset(own, 'trial.js', script),
  asset(swagger, 'swagger-ui.css', style),
  asset(swagger, 'swagger-ui-bundle.js', script),
]

const asset = (folder: string, name: string, type: string): File => ({
  path: `/docs/assets/${name}`,
  type,
  read: () => readFile(join(folder, name)),
})
