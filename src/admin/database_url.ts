// The connection strings of each role, for psql and for DBAs' scripts.
import type { Command } from 'commander'
import type { AdminContext } from './context.ts'
import { examples } from './examples.ts'

export function register(program: Command, context: AdminContext): void {
  program
    .command('database-url')
    .description(
      'the connection string of each role, as JSON; "owner" is the administrator, ' +
        'who sees past row-level security',
    )
    .addHelpText('after', examples('database-url'))
    .action(async () => {
      const { urls } = await context.database()
      context.print(urls, () => JSON.stringify(urls, null, 2))
    })
}
