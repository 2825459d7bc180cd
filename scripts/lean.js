// After `npm install`: takes away what nothing here reads, 140 MB of it. OpenSSL's headers
// are for building native packages against Node, source maps for debugging others'
// packages; ruru's page comes out of its bundle, not out of the loose files beside it, the
// docs page takes one of Swagger UI's four builds, and a browser is driven without Playwright's
// own windows.
// A new install brings everything back, and then this runs again.
import { globSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../node_modules', import.meta.url))
const unread = [
  'node/node_modules/node-*/include',
  'ruru/static',
  '**/*.{js,cjs,mjs,ts,cts,mts,css}.map',
  'swagger-ui-dist/swagger-ui{.js,-es-*,-standalone-preset.js}',
  'playwright-core/lib/vite',
  'bare-*/prebuilds',
  'bintrees/test',
  'axe-core/{axe.js,locales,doc}',
]

for (const path of globSync(unread, { cwd: packages })) {
  rmSync(`${packages}/${path}`, { recursive: true, force: true })
}
