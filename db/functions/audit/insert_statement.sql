-- The insert of a row that is given as JSON. Names only columns that the row has and, where
-- a role has rights on single columns, those that it may write.
create or replace function audit.insert_statement(p_relation oid, p_row jsonb, p_role text)
returns text
language sql
stable
strict
set search_path = ''
as $$
  select format(
    'insert into %1$s as made (%2$s) select %2$s from jsonb_populate_record(null::%1$s, %3$L)',
    p_relation::regclass,
    string_agg(quote_ident(attname), ', '),
    p_row
  )
  from audit.insertable_columns(p_relation)
  where
    p_row ? attname
    and (
      not has_any_column_privilege(p_role, p_relation, 'insert')
      or has_column_privilege(p_role, p_relation, attnum, 'insert')
    );
$$;

revoke all on function audit.insert_statement(oid, jsonb, text) from public;
comment on function audit.insert_statement(oid, jsonb, text) is 'SQL that inserts a row given as JSON.';
