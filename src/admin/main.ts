// `npm run admin -- …`: the operator's command line. A group of commands is a file here
// that registers itself; this one parses, answers errors and closes. With --json a
// command writes one JSON document to stdout, and an error is one on stderr.
import { Command, CommanderError } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import * as analyst from './analyst.ts'
import * as audit from './audit.ts'
import { type AdminContext, createContext } from './context.ts'
import * as databaseUrl from './database_url.ts'
import * as document from './document.ts'
import { toAdminError } from './errors.ts'
import * as importCommand from './import.ts'
import * as key from './key.ts'
import * as quote from './quote.ts'
import * as tenant from './tenant.ts'
import * as webhook from './webhook.ts'

type Group = { register(program: Command, context: AdminContext): void }

const groups: Group[] = [tenant, key, analyst, importCommand, quote, document, webhook, audit, databaseUrl]

function createProgram(): Command {
  return new Command('admin')
    .description('Operates a deployment: tenants, keys, catalogue, quotes, webhooks, audit.')
    .usage('<command> [options]')
    .version(packageJson.version)
    .option('--json', 'answer with one JSON document')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({ outputError: () => {} })
    .exitOverride()
}

async function run(argv: string[]): Promise<number> {
  const program = createProgram()
  const isJson = (): boolean => program.opts<{ json?: boolean }>().json === true
  const context = createContext(process.env, {
    isJson,
    write: (text) => process.stdout.write(text),
  })
  for (const group of groups) group.register(program, context)
  const stopListening = closeOnSignal(context)
  try {
    await program.parseAsync(argv)
    return 0
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) return error.exitCode
    return report(error, isJson())
  } finally {
    stopListening()
    await context.close()
  }
}

// Commander has shown the help by then.
const isHelp = ({ code }: CommanderError): boolean =>
  ['commander.helpDisplayed', 'commander.help', 'commander.version'].includes(code)

function report(thrown: unknown, isJson: boolean): number {
  const { code, message, detail } = toAdminError(thrown)
  const error = { code, message, ...(detail === undefined ? {} : { detail }) }
  process.stderr.write(`${isJson ? JSON.stringify({ error }) : message}\n`)
  return code === 'usage' ? 2 : 1
}

// An interrupted command, too, lets its embedded server go.
function closeOnSignal(context: AdminContext): () => void {
  const close = (signal: NodeJS.Signals): void => {
    void context.close().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143))
  }
  process.once('SIGINT', close)
  process.once('SIGTERM', close)
  return () => {
    process.off('SIGINT', close)
    process.off('SIGTERM', close)
  }
}

process.exitCode = await run(process.argv)
