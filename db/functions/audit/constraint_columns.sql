-- The columns of a check or of a unique index, by the name that an error gives. A generated
-- column counts as those that it is made of.
create or replace function audit.constraint_columns(p_relation oid, p_constraint text)
returns smallint[]
language sql
stable
set search_path = ''
as $$
  with named as (
    select unnest(conkey) as number
    from pg_constraint
    where conrelid = p_relation and conname = p_constraint

    union

    select unnest(indkey::int2[])
    from pg_index
    inner join pg_class on indexrelid = pg_class.oid
    where indrelid = p_relation and relname = p_constraint
  ),
  source as (
    select refobjsubid::smallint as number
    from pg_depend
    inner join pg_attrdef on classid = 'pg_attrdef'::regclass and objid = pg_attrdef.oid
    inner join named on adrelid = p_relation and adnum = named.number
    where refclassid = 'pg_class'::regclass and refobjid = p_relation and refobjsubid <> adnum
  )
  select coalesce(array_agg(columns.number), '{}')
  from (
    select number from named
    union
    select number from source
  ) as columns;
$$;

revoke all on function audit.constraint_columns(oid, text) from public;
comment on function audit.constraint_columns(oid, text) is
'Columns that a check or a unique index is about, by its name.';
