-- The settings that a role must gain nothing by forging: all that anything reads, but the one
-- by which it is trusted to name its tenant.
create or replace function audit.forgeable_settings(p_role text, p_scene jsonb)
returns setof text
language sql
stable
set search_path = ''
as $$
  select setting
  from jsonb_array_elements_text(p_scene -> 'settings') as setting
  where not exists (
    select
    from audit.tenant_sources()
    where tenant_sources.setting = setting.value and p_role = any(tenant_sources.roles)
  );
$$;

revoke all on function audit.forgeable_settings(text, jsonb) from public;
comment on function audit.forgeable_settings(text, jsonb) is
'Settings that a role isn''t trusted to choose its tenant by.';
