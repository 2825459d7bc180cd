-- A search's walk along the names of a tenant in order, until enough are found or the
-- steps are spent. Planned for each call: what is null is left out of the query.
create or replace function app.walk_names(
  p_q text,
  p_client_type text,
  p_wanted integer,
  p_steps integer
)
returns uuid[]
language plpgsql
stable
set search_path = ''
set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_tenant_id uuid := auth.tenant_id();
  v_pattern text := app.containing(p_q);
begin
  return array(
    select walk.id
    from (
      select organizations.id, organizations.name_key
      from app.organizations
      where
        organizations.tenant_id = v_tenant_id
        and (p_client_type is null or organizations.client_type = p_client_type)
      order by organizations.name_key, organizations.id
      limit p_steps
    ) as walk
    where v_pattern is null or walk.name_key like v_pattern
    limit p_wanted
  );
end;
$$;

revoke all on function app.walk_names(text, text, integer, integer) from public;
grant execute on function app.walk_names(text, text, integer, integer) to svc_search;
comment on function app.walk_names(text, text, integer, integer) is
'Ids of the first names with a case-folded text among so many, by name. Part of a search.';
