// `npm start`: database, migrations, demo data, API, worker. Also `npm run server` and
// `npm run worker`, which are the same with a part left out.
import { Command, Option } from 'commander'
import { ConfigError, environmentHelp, readConfig } from './config.ts'
import { createLog } from './log.ts'
import { type Parts, startService } from './service.ts'

const command = new Command('appraisal-public-api')
  .description(
    'Starts the public API and the webhook worker. Without DATABASE_URL a PostgreSQL 18 ' +
      'server of its own is set up in DATA_DIR.',
  )
  .addOption(
    new Option('--only <part>', 'start one part alone').choices(['server', 'worker']),
  )
  .option('--json', 'print what is said at the first start as JSON, too')
  .addHelpText('after', `\nEnvironment, with defaults in parentheses:\n${environmentHelp()}`)
  .parse()

// Whatever hangs, a stop ends: before a terminal's user loses patience, or, for a part
// alone, before the service manager does.
const wholeStopMs = 9500
const partStopMs = 28_000

const options = command.opts<{ only?: 'server' | 'worker'; json?: boolean }>()

try {
  const config = readConfig(process.env)
  const parts: Parts = {
    server: options.only !== 'worker',
    worker: options.only === 'worker' || (options.only !== 'server' && config.WORKER === 'in-process'),
  }
  const service = await startService(config, parts, createLog(config.LOG_LEVEL), {
    isJson: options.json ?? false,
    isPart: options.only !== undefined,
  })
  stopOnSignal(service.stop, options.only ? partStopMs : wholeStopMs)
  await service.ready.catch(async (error: unknown) => {
    await service.stop()
    throw error
  })
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `Can't start: ${messageOf(error)}`)
  process.exit(1)
}

// A terminal sends the signal to us and to npm, and npm passes it on: the second one
// must not cut the clean stop short.
function stopOnSignal(stop: () => Promise<void>, limitMs: number): void {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      setTimeout(() => {
        console.error(`Not stopped after ${limitMs} ms; giving up what is left.`)
        process.exit(1)
      }, limitMs).unref()
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(`Stopped with an error: ${messageOf(error)}`)
          process.exit(1)
        },
      )
    })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
