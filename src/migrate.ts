// `npm run migrate`: brings the database to today's schema and lets the logins in.
import { Command } from 'commander'
import { ConfigError, readConfig } from './config.ts'
import { migrate } from './database/migrate.ts'
import { openDatabase } from './database/open.ts'

const command = new Command('migrate')
  .description('Runs the migrations on DATABASE_URL, or on the embedded database of DATA_DIR.')
  .option('--json', 'answer with one JSON document')
  .parse()

try {
  const database = await openDatabase(readConfig(process.env))
  try {
    if (!database.hasOwner) throw new ConfigError('DATABASE_URL is not set; migrations need it.')
    const output = await migrate(database.urls.owner, database.credentials)
    const applied = [...output.matchAll(/^Applied: (\S+)/gm)].map(([, name]) => name)
    console.log(
      command.opts<{ json?: boolean }>().json
        ? JSON.stringify({ applied })
        : `${applied.length} migrations applied; the schema is today's.`,
    )
  } finally {
    await database.release()
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
