-- What the contacts that were sent become: each merged into the stored contact that it
-- is, or a new one. It is the stored one with its reference, else the one with its
-- e-mail, unless references tell the two apart or another that was sent has the stored
-- one's reference. A new primary contact leaves no other of those sent in that place.
-- What is as stored is left out.
create or replace function app.merge_contacts(p_changes app.organization_change[])
returns app.organization_change[]
language plpgsql
stable
set search_path = ''
as $$
begin
  return array(
    select row(change.old, change.new, change.sent_contacts, array(
      select merged.contact
      from (
        select
          given.position,
          coalesce(by_reference, by_email) as stored,
          jsonb_populate_record(
            coalesce(by_reference, by_email),
            given.contact || jsonb_build_object(
              'organization_id', (change.new).id,
              'email_key', given.email_key,
              'is_primary', case
                when given.settles_primary then given.is_primary
                else coalesce(by_reference.is_primary, by_email.is_primary, false)
              end
            )
          ) as contact
        from (
          select
            entry.position,
            app.without_null_reference(entry.contact) as contact,
            entry.contact ->> 'external_reference' as external_reference,
            app.fold_case(entry.contact ->> 'email') as email_key,
            (entry.contact -> 'is_primary') is not distinct from 'true' as is_primary,
            entry.contact ? 'is_primary' or bool_or(
              (entry.contact ->> 'is_primary')::boolean
            ) over () is true as settles_primary
          from jsonb_array_elements(nullif(change.sent_contacts, 'null'))
          with ordinality as entry (contact, position)
        ) as given
        left join app.contacts as by_reference
          on by_reference.organization_id = (change.old).id
          and by_reference.external_reference = given.external_reference
        left join app.contacts as by_email
          on by_reference.id is null
          and by_email.organization_id = (change.old).id
          and by_email.email_key = given.email_key
          and (
            by_email.external_reference is null
            or (
              given.external_reference is null
              and not change.sent_contacts @> jsonb_build_array(
                jsonb_build_object('external_reference', by_email.external_reference)
              )
            )
          )
      ) as merged
      where merged.contact is distinct from merged.stored
      order by merged.position
    ), change.outcome)::app.organization_change
    from unnest(p_changes) as change
  );
end;
$$;

revoke all on function app.merge_contacts(app.organization_change[]) from public;
grant execute on function app.merge_contacts(app.organization_change[]) to svc_api;
comment on function app.merge_contacts(app.organization_change[]) is
'The changes with the contacts to write for those that were sent, new ones without an id.';
