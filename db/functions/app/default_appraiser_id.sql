-- The appraiser whose coverage and fees alone count, if the tenant configured one.
-- An inactive one counts as not configured.
create or replace function app.default_appraiser_id()
returns uuid
language sql
stable
set search_path = ''
as $$
  select appraisers.id
  from app.appraisers
  where
    appraisers.tenant_id = (select auth.tenant_id())
    and appraisers.is_default
    and appraisers.is_active;
$$;

revoke all on function app.default_appraiser_id() from public;
grant execute on function app.default_appraiser_id() to svc_api;
comment on function app.default_appraiser_id() is 'Id of the active default fee appraiser, or null.';
