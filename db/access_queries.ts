// What db/access.md asks the catalogue, one query a table of the page.

// Only what belongs to our own roles, so that the page is the same whoever migrated.
const ours = `
  select pg_namespace.oid, pg_namespace.nspname::text as name
  from pg_namespace
  where pg_get_userbyid(pg_namespace.nspowner) like 'svc\\_%'`

const granteeName = `
  case acl.grantee when 0 then 'everybody' else pg_get_userbyid(acl.grantee)::text end`

export const roleRows = `
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

export const schemaRows = `
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

export const relationRows = `
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

export const grantRows = `
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

export const policyRows = `
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

export const functionRows = `
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
