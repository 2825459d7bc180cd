-- SQL that makes a table with a foreign key to a given one: whoever may do that learns which keys
-- exist there, past row-level security. Null where there is no key to refer to.
create or replace function audit.reference_statement(p_relation oid)
returns text
language sql
stable
set search_path = ''
as $$
  select format(
    'create table %I.isolation_proof (%s, foreign key (%s) references %s)',
    relnamespace::regnamespace::text,
    string_agg(
      format('%I %s', attname, format_type(atttypid, atttypmod)),
      ', '
      order by array_position(indkey::int2[], attnum)
    ),
    string_agg(quote_ident(attname), ', ' order by array_position(indkey::int2[], attnum)),
    p_relation::regclass
  )
  from pg_class
  inner join pg_index on indrelid = pg_class.oid and indisprimary
  inner join pg_attribute on attrelid = pg_class.oid and attnum = any(indkey)
  where pg_class.oid = p_relation
  group by relnamespace;
$$;

revoke all on function audit.reference_statement(oid) from public;
comment on function audit.reference_statement(oid) is
'SQL that makes a table with a foreign key to a given one, or null.';
