// After `npm install`: takes away what nothing here reads, 140 MB of it. OpenSSL's headers
// are for building native packages against Node, source maps for debugging others'
// packages; ruru's page comes out of its bundle, not out of the loose files beside it.
// A new install brings everything back, and then this runs again.
import { globSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../node_modules', import.meta.url))
const unread = [
  'node/node_modules/node-*/include',
  'ruru/static',
  '**/*.{js,cjs,mjs,ts,cts,mts,css}.map',
]

for (const path of globSync(unread, { cwd: packages })) {
  rmSync(`${packages}/${path}`, { recursive: true, force: true })
}
