// Proves that tenants are apart: what the catalogue says (audit.findings) and what an
// attack comes to (audit.prove_isolation). It changes nothing, and exits with 1 unless
// every attempt was refused and nothing was found.
import type { Command } from 'commander'
import type { AdminContext } from './context.ts'
import { AdminError, count, usageError } from './errors.ts'
import { examples } from './examples.ts'
import { table } from './table.ts'
import { findTenant } from './tenant.ts'

export type Finding = { check: string; object: string; detail: string }

export type Attempt = {
  role: string
  object: string
  command: string
  outcome: 'refused' | 'by design' | 'untested' | 'LEAK'
  detail: string
}

export function register(program: Command, context: AdminContext): void {
  program
    .command('audit')
    .description('prove that tenants are apart; exits with 1 when they are not')
    .option('--tenants <a,b>', 'attack from the first to the second instead of two made for it')
    .addHelpText(
      'after',
      `
Findings are faults that the catalogue shows. The proof attacks as every login, takes all of it
back, and has a row for each attempt: refused; by design (audit.entrusted says why); untested,
where no row could be made to reach for; LEAK. docs/tenant-isolation.md explains both.`,
    )
    .addHelpText('after', examples('audit', 'audit --tenants acme,demo', 'audit --json'))
    .action(async ({ tenants }: { tenants?: string }) => {
      const pair = await findPair(context, tenants)
      const owner = await context.pool('owner')
      const { rows: findings } = await owner.query<Finding>(
        'select "check", object, detail from audit.findings order by 1, 2, 3',
      )
      const { rows: proof } = await owner.query<Attempt>(
        'select * from audit.prove_isolation($1, $2)',
        pair,
      )
      context.print({ findings, proof }, () => report(findings, proof))
      requireApart(findings, proof)
    })
}

async function findPair(
  context: AdminContext,
  list: string | undefined,
): Promise<[string, string] | [null, null]> {
  if (list === undefined) return [null, null]
  const names = list.split(',').map((name) => name.trim())
  const [attacker, attacked] = names
  if (names.length !== 2 || !attacker || !attacked || attacker === attacked) {
    throw usageError('--tenants takes two, such as acme,demo.')
  }
  return [(await findTenant(context, attacker)).id, (await findTenant(context, attacked)).id]
}

const broken = (proof: Attempt[]): Attempt[] =>
  proof.filter(({ outcome }) => outcome === 'LEAK' || outcome === 'untested')

function report(findings: Finding[], proof: Attempt[]): string {
  const outcomes = ['refused', 'by design', 'untested', 'LEAK'] as const
  const byRole = [...Map.groupBy(proof, ({ role }) => role)].map(([role, attempts]) => ({
    role,
    ...Object.fromEntries(
      outcomes.map((outcome) => [
        outcome,
        attempts.filter((attempt) => attempt.outcome === outcome).length,
      ]),
    ),
  }))
  const parts = [`Findings: ${findings.length}`]
  if (findings.length > 0) parts.push(table(findings))
  parts.push(`\nAttempts to reach another tenant's rows: ${proof.length}`, table(byRole))
  if (broken(proof).length > 0) parts.push('', table(broken(proof)))
  return parts.join('\n')
}

function requireApart(findings: Finding[], proof: Attempt[]): void {
  if (findings.length === 0 && broken(proof).length === 0) return
  const leaks = proof.filter(({ outcome }) => outcome === 'LEAK').length
  const untested = broken(proof).length - leaks
  throw new AdminError(
    'not_isolated',
    `Tenants are not proven apart: ${count(findings.length, 'finding')}, ` +
      `${count(leaks, 'leak')}, ${untested} untested.`,
  )
}
