// A base backup of this machine's PostgreSQL server, while it works: what `pg_basebackup`
// does, with SQL and tar, for where there is no client of the server's version. With the
// archive of WAL, scripts/restore.ts brings back any moment since. docs/operations.md has
// the whole recipe.
import { spawn } from 'node:child_process'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

// A running server's own, or made anew by the next one.
const leftOut = [
  './postmaster.pid', './postmaster.opts', './pg_wal/*', './pg_replslot/*', './pg_dynshmem/*',
  './pg_notify/*', './pg_serial/*', './pg_snapshots/*', './pg_stat_tmp/*', './pg_subtrans/*',
  './**/pg_internal.init*', './**/pgsql_tmp*',
]

const [ownerUrl, target] = process.argv.slice(2)
if (!ownerUrl || !target) {
  console.error('usage: node scripts/back_up.ts DATABASE_URL FOLDER')
  process.exit(2)
}
await backUp(ownerUrl, target)
console.log(`backed up to ${target}`)

async function backUp(url: string, folder: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { cluster, archives } = await settingsOf(client)
    if (archives === 'off') throw new Error('archive_mode is off: the backup would lack its WAL.')
    const partial = `${folder}.partial`
    await mkdir(partial, { recursive: true, mode: 0o700 })
    // The session that begins a backup must be the one that ends it.
    await client.query(`select pg_backup_start('base backup', fast => true)`)
    await pack(cluster, join(partial, 'cluster.tar'))
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => true)',
    )
    await writeFile(join(partial, 'backup_label'), rows[0]?.labelfile ?? '')
    // Under its own name a backup is whole.
    await rename(partial, folder)
  } finally {
    await client.end()
  }
}

async function settingsOf(client: pg.Client): Promise<{ cluster: string; archives: string }> {
  const { rows } = await client.query<{ cluster: string; archives: string }>(
    `select
      current_setting('data_directory') as cluster,
      current_setting('archive_mode') as archives`,
  )
  return rows[0] ?? { cluster: '', archives: 'off' }
}

/** Files that change or go while they are read are what the WAL is for: tar says 1 of them. */
async function pack(cluster: string, file: string): Promise<void> {
  const patterns = leftOut.map((pattern) => `--exclude=${pattern}`)
  const tar = spawn('tar', ['--create', `--file=${file}`, `--directory=${cluster}`, ...patterns, '.'], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    tar.once('error', reject)
    tar.once('close', resolve)
  })
  if (code !== 0 && code !== 1) throw new Error(`tar ended with ${code}; may ${cluster} be read?`)
}
