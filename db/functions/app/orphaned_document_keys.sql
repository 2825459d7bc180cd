-- Of the keys of objects in the store, those that no document has: an upload put its
-- object and then failed to commit. Security definer, so that the worker may ask without
-- seeing a business table; it enters one tenant after another, as the keys name them, and
-- tells nothing but which keys are nobody's. A key of another form, or of a tenant that
-- isn't here, is left alone: it may be another deployment's.
create or replace function app.orphaned_document_keys(p_keys text[])
returns setof text
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  c_uuid constant text := '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
  c_form constant text := '^' || c_uuid || '/' || c_uuid || '$';
  v_keys text[] := array(select key from unnest(p_keys) as key where key ~ c_form);
  v_tenant text;
begin
  for v_tenant in
    select distinct split_part(key, '/', 1)
    from unnest(v_keys) as key
  loop
    perform set_config('svc.sweep_tenant', v_tenant, true);
    return query
    select key
    from unnest(v_keys) as key
    where
      split_part(key, '/', 1) = v_tenant
      and exists (select from app.tenants where tenants.id = v_tenant::uuid)
      and not exists (
        select
        from app.documents
        where
          documents.tenant_id = v_tenant::uuid
          and documents.id = split_part(key, '/', 2)::uuid
          and documents.storage = key
      );
  end loop;
  perform set_config('svc.sweep_tenant', '', true);
end;
$$;

alter function app.orphaned_document_keys(text[]) owner to svc_owner;
revoke all on function app.orphaned_document_keys(text[]) from public;
grant execute on function app.orphaned_document_keys(text[]) to svc_worker;
comment on function app.orphaned_document_keys(text[]) is
'Those of an object store''s keys that belong to no document.';
