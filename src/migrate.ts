// `npm run migrate`: brings the database to today's schema and lets the logins in, or takes
// the newest migration back.
import { Command } from 'commander'
import { ConfigError, readConfig } from './config.ts'
import { migrate, migrateBack } from './database/migrate.ts'
import { openDatabase } from './database/open.ts'

const command = new Command('migrate')
  .description('Runs the migrations on DATABASE_URL, or on the embedded database of DATA_DIR.')
  .option('--back', 'take the newest migration back, with what its columns and tables hold')
  .option('--json', 'answer with one JSON document')
  .parse()
const { back, json } = command.opts<{ back?: boolean; json?: boolean }>()

try {
  const database = await openDatabase(readConfig(process.env))
  try {
    if (!database.hasOwner) throw new ConfigError('DATABASE_URL is not set; migrations need it.')
    const { urls, credentials } = database
    const names = await (back ? migrateBack(urls.owner) : migrate(urls.owner, credentials))
    if (json) console.log(JSON.stringify({ [back ? 'taken_back' : 'applied']: names }))
    else if (back) console.log(`Taken back: ${names.join(', ')}.`)
    else console.log(`${names.length} migrations applied; the schema is today's.`)
  } finally {
    await database.release()
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
