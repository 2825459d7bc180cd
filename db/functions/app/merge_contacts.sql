-- What the contacts that were sent become: each merged into the stored contact that it
-- is, or a new one. It is the stored one with its reference, else the one with its
-- e-mail, unless references tell the two apart or another that was sent has the stored
-- one's reference. A new primary contact leaves no other of those sent in that place.
create or replace function app.merge_contacts(p_organization_id uuid, p_contacts jsonb)
returns app.contacts[]
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_tenant_id uuid;
  v_stored app.contacts[];
begin
  if coalesce(p_contacts, 'null') in ('null', '[]') then
    return '{}';
  end if;

  v_tenant_id := auth.tenant_id();
  v_stored := array(
    select contacts
    from app.contacts
    where
      contacts.tenant_id = v_tenant_id
      and contacts.organization_id = p_organization_id
  );

  return array(
    with given as (
      select
        entry.contact,
        entry.position,
        entry.contact ->> 'external_reference' as external_reference,
        app.fold_case(entry.contact ->> 'email') as email_key,
        (entry.contact -> 'is_primary') is not distinct from 'true' as is_primary,
        entry.contact ? 'is_primary' or bool_or(
          (entry.contact ->> 'is_primary')::boolean
        ) over () is true as settles_primary
      from jsonb_array_elements(p_contacts) with ordinality as entry (contact, position)
    )

    select jsonb_populate_record(
      coalesce(by_reference, by_email),
      app.without_null_reference(given.contact) || jsonb_build_object(
        'tenant_id', v_tenant_id,
        'id', coalesce(by_reference.id, by_email.id, uuidv7()),
        'organization_id', p_organization_id,
        'email_key', given.email_key,
        'is_primary', case
          when given.settles_primary then given.is_primary
          else coalesce(by_reference.is_primary, by_email.is_primary, false)
        end
      )
    )
    from given
    left join unnest(v_stored) as by_reference
      on given.external_reference = by_reference.external_reference
    left join unnest(v_stored) as by_email
      on by_reference.id is null
      and given.email_key = by_email.email_key
      and (
        by_email.external_reference is null
        or (
          given.external_reference is null
          and by_email.external_reference not in (
            select other.external_reference
            from given as other
            where other.external_reference is not null
          )
        )
      )
    order by given.position
  );
end;
$$;

revoke all on function app.merge_contacts(uuid, jsonb) from public;
grant execute on function app.merge_contacts(uuid, jsonb) to svc_api;
comment on function app.merge_contacts(uuid, jsonb) is
'The rows that the contacts of a request become, in its order; new ones with a new id.';
