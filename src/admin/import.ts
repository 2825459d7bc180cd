// `import`: the catalogue and the orders of a tenant, from CSV files.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { AdminContext } from './context.ts'
import { count, usageError } from './errors.ts'
import { examples } from './examples.ts'
import { importFile, importKinds } from './import_file.ts'
import { oneOf } from './options.ts'
import { readSeed } from './seed.ts'
import { findTenant } from './tenant.ts'

type Options = { tenant: string; replace?: boolean }

export function register(program: Command, context: AdminContext): void {
  program
    .command('import')
    .description('take in a CSV file: all of it or, when a line has a fault, nothing')
    .argument('<kind>', importKinds.join(', '))
    .argument('<file>', 'CSV in UTF-8 with a header line; - reads standard input')
    .requiredOption('--tenant <tenant>', 'slug or id')
    .option('--replace', 'coverage and fees: remove the rows that the file lacks')
    .addHelpText('after', columnsHelp)
    .addHelpText(
      'after',
      examples(
        'import --tenant acme products products.csv',
        'import --tenant acme coverage coverage.csv --replace',
      ),
    )
    .action(async (givenKind: string, path: string, { tenant: name, replace }: Options) => {
      const kind = oneOf('The kind of file', givenKind, importKinds)
      const bytes = await readInput(path)
      const tenant = await findTenant(context, name)
      const office = await context.pool('office')
      const summary = await importFile(office, tenant.id, kind, bytes, {
        isReplacing: replace === true,
      })
      context.print({ tenant: tenant.slug, kind, ...summary }, () => {
        const { rows, created, updated, unchanged, deleted } = summary
        const removed = deleted > 0 ? `, ${deleted} removed` : ''
        return (
          `${basename(path)}: ${count(rows, 'row')} of ${kind}: ` +
          `${created} created, ${updated} updated, ${unchanged} unchanged${removed}.`
        )
      })
    })
}

async function readInput(path: string): Promise<Uint8Array> {
  try {
    return path === '-' ? await buffer(process.stdin) : readFileSync(path)
  } catch (error) {
    throw usageError(`${path} can't be read: ${(error as Error).message}.`)
  }
}

// The seed's files have each column, in the order that the documentation gives.
function columnsHelp(): string {
  const lines = importKinds.map((kind) => {
    const [header = ''] = readSeed(kind).toString().split('\n')
    return `  ${kind}\n    ${header.trim()}`
  })
  return `
Columns, in any order:
${lines.join('\n')}

An empty product_code or county means all; in fees an empty state, too. Rows that are
there already are updated: by code, external_reference or order_number, coverage and fees
by appraiser, product and area. Rows that a file lacks stay.`
}
