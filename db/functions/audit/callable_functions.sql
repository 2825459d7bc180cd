-- Functions that a role can call with nothing but ids, or with nothing at all; parameters with
-- a default are left to it.
create or replace function audit.callable_functions(p_role text)
returns table (function regprocedure, ids integer, is_definer boolean)
language sql
stable
set search_path = ''
as $$
  select oid, pronargs - pronargdefaults, prosecdef
  from pg_proc
  where
    pronamespace in (
      select oid
      from pg_namespace
      where
        nspname !~ '^pg_'
        and nspname not in ('information_schema', 'audit', 'graphile_worker')
        and has_schema_privilege(p_role, oid, 'usage')
    )
    and prokind = 'f'
    and prorettype <> all('{trigger,event_trigger}'::regtype[])
    and not exists (
      select
      from unnest(proargtypes) with ordinality as argument (type, position)
      where argument.position <= pronargs - pronargdefaults and argument.type <> 'uuid'::regtype
    )
    and has_function_privilege(p_role, oid, 'execute')
  order by oid::regprocedure::text;
$$;

revoke all on function audit.callable_functions(text) from public;
comment on function audit.callable_functions(text) is
'Functions that a role can call with ids alone, and how many ids.';
