-- An update that changes nothing but must reach a row, of a column that the role may update if
-- there is one, best in no key and no check. It reads no column, as reading needs a right and
-- brings the policies for reading into play.
create or replace function audit.update_statement(p_relation oid, p_row jsonb, p_role text)
returns text
language sql
stable
set search_path = ''
as $$
  select format(
    'update %1$s set %2$I = (jsonb_populate_record(null::%1$s, %3$L)).%2$I',
    p_relation::regclass,
    attname,
    p_row
  )
  from audit.insertable_columns(p_relation)
  order by
    has_column_privilege(p_role, p_relation, attnum, 'update') desc,
    exists (select from pg_constraint where conrelid = p_relation and attnum = any(conkey)),
    attnum desc
  limit 1;
$$;

revoke all on function audit.update_statement(oid, jsonb, text) from public;
comment on function audit.update_statement(oid, jsonb, text) is
'SQL that updates whatever row is in reach.';
