// Makes a cluster out of a base backup and the archive of WAL, as it was at a moment. It
// touches nothing that exists: the cluster's folder must be new. The server that starts on it
// replays up to the moment and then takes writes. docs/operations.md has the whole recipe.
import { execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command } from 'commander'

const command = new Command('restore')
  .argument('<backup>', 'what scripts/back_up.ts made')
  .argument('<archive>', 'the folder that archive_command copies WAL to')
  .argument('<cluster>', 'the new data folder')
  .option('--time <time>', 'stop at this time, such as 2026-11-21T03:00:00Z')
  .option('--name <name>', 'stop at this point of pg_create_restore_point')
  .parse()

const [backup = '', archive = '', cluster = ''] = command.args.map((path) => resolve(path))
const moment = command.opts<{ time?: string; name?: string }>()

mkdirSync(cluster, { mode: 0o700 })
execFileSync('tar', ['--extract', `--file=${join(backup, 'cluster.tar')}`, `--directory=${cluster}`])
copyFileSync(join(backup, 'backup_label'), join(cluster, 'backup_label'))
writeFileSync(join(cluster, 'recovery.signal'), '')
appendFileSync(join(cluster, 'postgresql.auto.conf'), settings())

// tar gives its files back to the server's user; the others must be that user's, too.
const { uid, gid } = statSync(cluster)
if (process.getuid?.() === 0) {
  for (const name of ['backup_label', 'recovery.signal']) chownSync(join(cluster, name), uid, gid)
}
console.log(`restored to ${cluster}; the server that starts there replays and promotes itself`)

// What is restored archives nothing until it is told where: its WAL is another history.
function settings(): string {
  const lines = [
    `restore_command = 'cp "${archive}/%f" "%p"'`,
    `recovery_target_action = 'promote'`,
    `archive_mode = 'off'`,
    // Nobody reads a moment that isn't the wanted one yet.
    `hot_standby = 'off'`,
    moment.time ? `recovery_target_time = '${moment.time}'` : '',
    moment.name ? `recovery_target_name = '${moment.name}'` : '',
  ]
  return `\n${lines.filter((line) => line !== '').join('\n')}\n`
}
