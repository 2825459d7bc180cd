-- Columns that an insert may name, in order.
create or replace function audit.insertable_columns(p_relation oid)
returns setof pg_catalog.pg_attribute
language sql
stable
set search_path = ''
as $$
  select *
  from pg_attribute
  where
    attrelid = p_relation
    and attnum > 0
    and not attisdropped
    and attgenerated = ''
    and attidentity <> 'a'
  order by attnum;
$$;

revoke all on function audit.insertable_columns(oid) from public;
comment on function audit.insertable_columns(oid) is 'Columns of a table that an insert may name.';
