// Keeps a directory of organizations in step with a CSV file. Run it every night; when it
// was cut off, run it again and it goes on where it was.
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { type Directory, InputError, type RowError, readDirectory } from './directory.ts'
import { type Journal, inputOf, openJournal, removeJournal, replaceFile } from './journal.ts'
import { GivenUp, patient } from './retry.ts'
import { Refused, batchSize, synchronise } from './sync.ts'

const help = `Usage: API_KEY=svc_… node nightly_sync.ts [options] ORGANIZATIONS.csv

Creates and updates the organizations of a CSV file, ${batchSize} in a request. Columns have
the names of the API's fields; external_reference, name and client_type are needed. An empty
cell clears the field; a column that is not there leaves it alone. Nothing is deleted.

Options:
  --contacts FILE  contacts, each with its organization_external_reference
  --base-url URL   where the API is (API_BASE_URL; http://127.0.0.1:3000)
  --errors FILE    where rows that were refused go (ORGANIZATIONS.csv.errors.csv)
  --journal FILE   how far the run is (ORGANIZATIONS.csv.journal.json)
  --help           this text

A run that was killed is taken up where it was; a file that changed begins a new run. The
key is read from API_KEY and needs the scope organizations:write.

Exit codes:
  0  every row is saved
  1  some rows were refused: see the file of errors
  2  the command, the key or a file is not usable
  3  the service refused or did not answer; run it again to go on
`

type Options = {
  file: string
  contacts: string | undefined
  baseUrl: string
  apiKey: string
  errorsPath: string
  journalPath: string
}

/** Reads the command line and the environment. Throws InputError; null for help. */
function readOptions(): Options | null {
  const { values, positionals } = parse()
  if (values.help) return null
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new InputError('name one CSV file')
  const apiKey = process.env['API_KEY'] ?? ''
  if (!/^svc_(test|live)_/.test(apiKey)) {
    throw new InputError('API_KEY is not usable; it begins with svc_test_ or svc_live_')
  }
  const baseUrl = values['base-url'] ?? process.env['API_BASE_URL'] ?? 'http://127.0.0.1:3000'
  if (!URL.canParse(baseUrl)) throw new InputError(`${baseUrl} is not a URL`)
  return {
    file,
    contacts: values.contacts,
    baseUrl: baseUrl.replace(/\/$/, ''),
    apiKey,
    errorsPath: values.errors ?? `${file}.errors.csv`,
    journalPath: values.journal ?? `${file}.journal.json`,
  }
}

function parse() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        contacts: text,
        'base-url': text,
        errors: text,
        journal: text,
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new InputError((error as Error).message)
  }
}

async function run(options: Options): Promise<number> {
  const directory = await readDirectory(options.file, options.contacts)
  const input = inputOf(directory, options.baseUrl)
  const journal = await openJournal(options.journalPath, input)
  if (journal.done > 0) console.log(`goes on after ${journal.done} rows`)
  await withProgress(directory, journal, options)

  const errors = [...directory.errors, ...journal.errors].sort((a, b) => a.line - b.line)
  await replaceFile(options.errorsPath, csvOf(errors))
  await removeJournal(options.journalPath)
  const { created, updated } = journal
  console.log(`${created} created, ${updated} updated, ${errors.length} refused`)
  if (errors.length > 0) console.error(`refused rows: ${options.errorsPath}`)
  return errors.length > 0 ? 1 : 0
}

async function withProgress(directory: Directory, journal: Journal, options: Options): Promise<void> {
  const { baseUrl, apiKey, journalPath } = options
  const bar = new SingleBar({
    format: '{bar} {value}/{total} · {created} created · {updated} updated · {eta_formatted} left',
    stream: process.stderr,
  })
  const figures = () => ({ created: journal.created, updated: journal.updated })
  bar.start(directory.rows.length, journal.done, figures())
  const onWait = (reason: string, ms: number): void =>
    console.error(`${reason}; again in ${(ms / 1000).toFixed(1)} s`)
  try {
    await synchronise(directory, journal, {
      baseUrl,
      apiKey,
      journalPath,
      retry: { ...patient, onWait },
      onProgress: () => bar.update(journal.done, figures()),
    })
  } finally {
    bar.stop()
  }
}

function csvOf(errors: RowError[]): string {
  const quoted = (value: string | number) => `"${String(value).replaceAll('"', '""')}"`
  const lines = errors.map(({ line, external_reference, code, message }) =>
    [line, external_reference, code, message].map(quoted).join(','),
  )
  return ['line,external_reference,code,message', ...lines, ''].join('\n')
}

try {
  const options = readOptions()
  if (options) process.exitCode = await run(options)
  else console.log(help)
} catch (error) {
  const isOurs = error instanceof InputError || error instanceof GivenUp || error instanceof Refused
  if (!isOurs) throw error
  console.error(error.message)
  process.exitCode = error instanceof InputError ? 2 : 3
}
