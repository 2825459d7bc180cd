// Asks squawk about the locks that migrations take. Those of the first release make every
// table that they touch, on a database that nobody uses, so a lock there holds up nobody;
// what they may break is said once here. Later ones are held to every rule but those of
// taste. Generated migrations replace functions, which locks no table, and graphile-worker's
// own is its authors'.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../db/migrations', import.meta.url))
const squawk = fileURLToPath(new URL('node_modules/.bin/squawk', import.meta.url))
const lastOfFirstRelease = '20261101999999'

// Counts and places in a list fit an integer.
const taste = ['prefer-bigint-over-int', 'prefer-bigint-over-smallint']
// `npm run migrate` gives each one its time-out for locks (src/database/migrate.ts).
const elsewhere = ['require-lock-timeout']
const onNewTables = ['require-statement-timeout']

const files = readdirSync(folder).filter(
  (name) =>
    name.endsWith('.sql') && !readFileSync(join(folder, name), 'utf8').startsWith('-- Generated'),
)
const isFirst = (name) => name < lastOfFirstRelease
const results = [
  check(files.filter(isFirst), [...taste, ...elsewhere, ...onNewTables]),
  check(files.filter((name) => !isFirst(name)), [...taste, ...elsewhere]),
]
console.log(`${files.length} migrations checked for locks.`)
process.exit(results.every(Boolean) ? 0 : 1)

/** dbmate's part up is what runs on a live database. */
function check(names, excluded) {
  if (names.length === 0) return true
  const copies = mkdtempSync(join(tmpdir(), 'migrations-'))
  for (const name of names) {
    const [up = ''] = readFileSync(join(folder, name), 'utf8').split(/^-- migrate:down/m)
    writeFileSync(join(copies, name), up)
  }
  const paths = names.map((name) => join(copies, name))
  const flags = ['--pg-version=18.0', '--assume-in-transaction', `--exclude=${excluded.join(',')}`]
  const { status } = spawnSync(squawk, [...flags, ...paths], { stdio: 'inherit' })
  rmSync(copies, { recursive: true })
  return status === 0
}
