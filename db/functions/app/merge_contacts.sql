-- What the contacts that were sent become: each merged into the stored contact that it
-- is, or a new one. It is the stored one with its reference, else the one with its
-- e-mail, unless references tell the two apart or another that was sent has the stored
-- one's reference. A new primary contact leaves no other of those sent in that place.
create or replace function app.merge_contacts(p_stored app.contacts[], p_contacts jsonb)
returns app.contacts[]
language sql
stable
set search_path = ''
as $$
  with given as (
    select
      entry.position,
      app.without_null_reference(entry.contact) as contact,
      entry.contact ->> 'external_reference' as external_reference,
      app.fold_case(entry.contact ->> 'email') as email_key,
      (entry.contact -> 'is_primary') is not distinct from 'true' as is_primary,
      entry.contact ? 'is_primary' or bool_or(
        (entry.contact ->> 'is_primary')::boolean
      ) over () is true as settles_primary
    from jsonb_array_elements(p_contacts) with ordinality as entry (contact, position)
  ),

  merged as (
    select
      given.position,
      jsonb_populate_record(
        coalesce(by_reference, by_email),
        given.contact || jsonb_build_object(
          'email_key', given.email_key,
          'is_primary', case
            when given.settles_primary then given.is_primary
            else coalesce(by_reference.is_primary, by_email.is_primary, false)
          end
        )
      ) as contact
    from given
    left join unnest(p_stored) as by_reference
      on given.external_reference = by_reference.external_reference
    left join unnest(p_stored) as by_email
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
  )

  select coalesce(array_agg(merged.contact order by merged.position), '{}')
  from merged
  where merged.contact <> all(p_stored);
$$;

revoke all on function app.merge_contacts(app.contacts[], jsonb) from public;
grant execute on function app.merge_contacts(app.contacts[], jsonb) to svc_api;
comment on function app.merge_contacts(app.contacts[], jsonb) is
'The rows to write for the contacts of a request, new ones without an id; none that is as stored.';
