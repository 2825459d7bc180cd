-- Before tables: the history's trigger calls it.
-- A row as the history keeps it: the wanted columns without bytes (digests, sealed
-- secrets) and without text whose name says that it is a secret.
create or replace function audit.without_secrets(
  p_table regclass,
  p_row jsonb,
  p_only text[]
)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_object_agg(field.key, field.value)
  from jsonb_each(p_row) as field
  inner join pg_attribute on attrelid = p_table and attname = field.key
  where
    field.key = any(p_only)
    and atttypid <> all('{bytea,bytea[]}'::regtype[])
    and field.key !~ '(secret|digest|token|password)$';
$$;

revoke all on function audit.without_secrets(regclass, jsonb, text[]) from public;
grant execute on function audit.without_secrets(regclass, jsonb, text[]) to svc_audit;
comment on function audit.without_secrets(regclass, jsonb, text[]) is
'The given columns of a row without secrets, digests and bytes.';
