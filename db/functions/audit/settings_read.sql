-- Every setting of its own that a function or a policy of this database reads, so that the
-- proof can forge it, also one that was added since.
create or replace function audit.settings_read()
returns setof text
language sql
stable
set search_path = ''
as $$
  select distinct found[1]
  from (
    select prosrc
    from pg_proc
    inner join pg_namespace on pronamespace = pg_namespace.oid
    where nspname !~ '^pg_' and nspname <> 'information_schema'

    union all

    select concat_ws(' ', policies.read_expression, policies.write_expression)
    from audit.policies()
  ) as source (text)
  cross join regexp_matches(source.text, 'current_setting\(\s*''([\w]+\.[\w.]+)''', 'g') as found
  order by 1;
$$;

revoke all on function audit.settings_read() from public;
comment on function audit.settings_read() is 'Settings that functions and policies read, found in their text.';
