-- Everything that holds rows of tenants, found in the catalogue: what has a column
-- tenant_id or refers to app.tenants, in any schema; and then its partitions, children
-- and the views over it.
create or replace function audit.tenant_relations()
returns table (
  relation oid,
  name text,
  kind "char",
  is_part boolean,
  tenant_column name
)
language sql
stable
set search_path = ''
as $$
  with recursive candidate as (
    select pg_class.oid, relkind, audit.tenant_column(pg_class.oid) as tenant_column
    from pg_class
    inner join pg_namespace on relnamespace = pg_namespace.oid
    where
      relkind in ('r', 'p', 'f', 'v', 'm')
      and nspname !~ '^pg_'
      and nspname <> 'information_schema'
  ),
  dependent as (
    select inhrelid as oid, inhparent as source
    from pg_inherits

    union

    select ev_class, refobjid
    from pg_depend
    inner join pg_rewrite on objid = pg_rewrite.oid
    where
      classid = 'pg_rewrite'::regclass
      and refclassid = 'pg_class'::regclass
      and ev_class <> refobjid
  ),
  held as (
    select oid
    from candidate
    where tenant_column is not null

    union

    select dependent.oid
    from held
    inner join dependent on held.oid = dependent.source
  )
  select
    candidate.oid,
    candidate.oid::regclass::text,
    candidate.relkind,
    exists (select from pg_inherits where inhrelid = candidate.oid),
    candidate.tenant_column
  from candidate
  where candidate.oid in (select held.oid from held);
$$;

revoke all on function audit.tenant_relations() from public;
grant execute on function audit.tenant_relations() to svc_auditor;
comment on function audit.tenant_relations() is
'Tables, partitions, children, foreign tables and views that hold or show tenants'' rows; the column that names the tenant, or null.';
