-- A foreign key's columns with the values of a row that it shall refer to.
create or replace function audit.foreign_key_values(
  p_columns smallint[],
  p_relation oid,
  p_referred_columns smallint[],
  p_referred oid,
  p_row jsonb
)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_object_agg(referring.attname, p_row -> referred.attname::text)
  from unnest(p_columns, p_referred_columns) as pair (referring_number, referred_number)
  inner join pg_attribute as referring
    on referring.attrelid = p_relation and referring.attnum = pair.referring_number
  inner join pg_attribute as referred
    on referred.attrelid = p_referred and referred.attnum = pair.referred_number;
$$;

revoke all on function audit.foreign_key_values(smallint[], oid, smallint[], oid, jsonb) from public;
comment on function audit.foreign_key_values(smallint[], oid, smallint[], oid, jsonb) is
'What a foreign key''s columns hold when it refers to a given row.';
