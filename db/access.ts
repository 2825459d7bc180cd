// Writes db/access.md: which role may do what with which object, and the policies that
// bound it, as the catalogue of a migrated database has them. Run by itself it makes an
// embedded database for that; a test holds the file against the tests' own.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { readCredentials } from '../src/database/credentials.ts'
import { openEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'

export const accessFile = fileURLToPath(new URL('access.md', import.meta.url))

type Queryable = Pick<pg.ClientBase, 'query'>
type Row = Record<string, string>

// Only what belongs to our own roles, so that the page is the same whoever migrated.
const ours = `
  select pg_namespace.oid, pg_namespace.nspname::text as name
  from pg_namespace
  where pg_get_userbyid(pg_namespace.nspowner) like 'svc\\_%'`

const granteeName = `
  case acl.grantee when 0 then 'everybody' else pg_get_userbyid(acl.grantee)::text end`

const roleRows = `
  select
    rolname::text as role,
    case when rolcanlogin then 'yes' else 'no' end as login,
    concat_ws(', ',
      case when rolsuper then 'superuser' end,
      case when rolbypassrls then 'bypasses row-level security' end,
      case when rolcreaterole then 'creates roles' end,
      case when rolcreatedb then 'creates databases' end,
      case when rolreplication then 'replicates' end
    ) as attributes,
    coalesce((
      select string_agg(pg_get_userbyid(roleid), ', ' order by pg_get_userbyid(roleid))
      from pg_auth_members
      where member = pg_roles.oid
    ), '') as member_of,
    coalesce(shobj_description(oid, 'pg_authid'), '') as purpose
  from pg_roles
  where rolname like 'svc\\_%'`

const schemaRows = `
  select
    ours.name as schema,
    pg_get_userbyid(pg_namespace.nspowner)::text as owner,
    coalesce((
      select string_agg(
        (${granteeName}) || ' ' || lower(acl.privilege_type), ', '
        order by (${granteeName}), acl.privilege_type
      )
      from aclexplode(pg_namespace.nspacl) as acl
      where acl.grantee <> pg_namespace.nspowner
    ), 'nobody') as rights
  from pg_namespace
  inner join (${ours}) as ours on pg_namespace.oid = ours.oid`

const relationRows = `
  select
    ours.name || '.' || pg_class.relname as relation,
    case pg_class.relkind
      when 'r' then 'table'
      when 'p' then 'partitioned table'
      when 'v' then case
        when 'security_invoker=true' = any(pg_class.reloptions)
          or 'security_invoker=on' = any(pg_class.reloptions)
          then 'view, with the rights of who asks'
        else 'view, with the rights of its owner'
      end
      when 'm' then 'materialized view'
      when 'S' then 'sequence'
      else 'foreign table'
    end as kind,
    pg_get_userbyid(pg_class.relowner)::text as owner,
    case
      when pg_class.relkind not in ('r', 'p') then ''
      when pg_class.relforcerowsecurity and pg_class.relrowsecurity then 'forced'
      when pg_class.relrowsecurity then 'on, not for its owner'
      else 'off'
    end as security
  from pg_class
  inner join (${ours}) as ours on pg_class.relnamespace = ours.oid
  where pg_class.relkind in ('r', 'p', 'v', 'm', 'S', 'f')`

const grantRows = `
  select
    ours.name || '.' || pg_class.relname as relation,
    (${granteeName}) as role,
    string_agg(distinct lower(acl.privilege_type), ', ') as privileges,
    coalesce(acl.columns, 'all') as columns
  from pg_class
  inner join (${ours}) as ours on pg_class.relnamespace = ours.oid
  cross join lateral (
    select whole.grantee, whole.privilege_type, null::text as columns
    from aclexplode(pg_class.relacl) as whole
    union all
    select part.grantee, part.privilege_type, string_agg(pg_attribute.attname, ', ' order by attnum)
    from pg_attribute cross join lateral aclexplode(pg_attribute.attacl) as part
    where pg_attribute.attrelid = pg_class.oid
    group by part.grantee, part.privilege_type
  ) as acl
  where acl.grantee <> pg_class.relowner
  group by ours.name, pg_class.relname, acl.grantee, acl.columns`

const policyRows = `
  select
    schemaname || '.' || tablename as relation,
    policyname::text as policy,
    lower(cmd) as command,
    lower(permissive) as permissive,
    array_to_string(roles, ', ') as roles,
    coalesce(qual, '') as using,
    coalesce(with_check, '') as check
  from pg_policies
  inner join (${ours}) as ours on pg_policies.schemaname = ours.name`

const functionRows = `
  select
    pg_proc.oid::regprocedure::text as function,
    pg_get_userbyid(pg_proc.proowner)::text as owner,
    case when pg_proc.prosecdef then 'its owner' else 'who calls' end as rights_of,
    coalesce((
      select string_agg((${granteeName}), ', ' order by (${granteeName}))
      from aclexplode(coalesce(pg_proc.proacl, acldefault('f', pg_proc.proowner))) as acl
      where acl.grantee <> pg_proc.proowner
    ), 'nobody') as execute
  from pg_proc
  inner join (${ours}) as ours on pg_proc.pronamespace = ours.oid`

/** The text of db/access.md for a migrated database, asked as its administrator. */
export async function accessPage(client: Queryable): Promise<string> {
  // Without a search path every name in an answer comes with its schema.
  await client.query('set search_path = pg_catalog')
  const rows = async (sql: string) => (await client.query<Row>(sql)).rows.sort(byText)
  const grants = Map.groupBy(await rows(grantRows), ({ relation }) => relation)
  const policies = Map.groupBy(await rows(policyRows), ({ relation }) => relation)
  const relations = (await rows(relationRows)).map((relation) =>
    section(relation, grants.get(relation['relation']), policies.get(relation['relation'])),
  )
  return `<!-- Generated by \`npm run db:access\` from a migrated database. Do not edit. -->

# Who may do what

An owner may do everything with what it owns; what others may do is listed. A role reaches an
object only with usage of its schema, too.

## Roles

${table(await rows(roleRows))}

## Schemas

${table(await rows(schemaRows))}

## Tables and views

${relations.join('\n')}
## Functions

${table(await rows(functionRows))}
`
}

// By code units: a database's collation differs from machine to machine.
function byText(a: Row, b: Row): number {
  const [left, right] = [Object.values(a).join('\n'), Object.values(b).join('\n')]
  return left < right ? -1 : Number(left > right)
}

function section(relation: Row, grants: Row[] = [], policies: Row[] = []): string {
  const { relation: name, kind, owner, security } = relation
  const secured = security ? ` Row-level security: ${security}.` : ''
  const without = (row: Row) =>
    Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'relation'))
  return `### ${name}

Kind: ${kind}. Owner: ${owner}.${secured}

${grants.length > 0 ? table(grants.map(without)) : 'Nobody else has a right to it.'}
${policies.length > 0 ? `\n${table(policies.map(without))}\n` : ''}`
}

function table(rows: Row[]): string {
  const [first] = rows
  if (!first) return 'None.'
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`
  const names = Object.keys(first)
  return [
    line(names.map((name) => name.replaceAll('_', ' '))),
    line(names.map(() => '---')),
    ...rows.map((row) => line(Object.values(row))),
  ].join('\n')
}

const cell = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'appraisal-access-'))
  const credentials = readCredentials(folder)
  const server = await openEmbedded(join(folder, 'postgres'), credentials.owner)
  const url = new URL(server.url)
  url.pathname = '/access'
  try {
    await migrate(url.href, credentials)
    await writeFile(accessFile, await readPage(url.href))
    console.log('wrote db/access.md')
  } finally {
    await server.release()
    await rm(folder, { recursive: true, force: true })
  }
}

async function readPage(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await accessPage(client)
  } finally {
    await client.end()
  }
}

if (import.meta.main) await main()
