-- Within an organization an e-mail is one contact's alone. Contacts that the request
-- itself moves to another address give theirs free.
create or replace function app.taken_email(
  p_stored app.contacts[],
  p_merged app.contacts[]
)
returns text
language sql
stable
set search_path = ''
as $$
  select stored.email
  from unnest(p_stored) as stored
  inner join unnest(p_merged) as merged on stored.email_key = merged.email_key
  where not exists (
    select
    from unnest(p_merged) as moved
    where moved.id = stored.id
  )
  order by stored.email_key
  limit 1;
$$;

revoke all on function app.taken_email(app.contacts[], app.contacts[]) from public;
grant execute on function app.taken_email(app.contacts[], app.contacts[]) to svc_api;
comment on function app.taken_email(app.contacts[], app.contacts[]) is
'An e-mail of merged contacts that another contact of the organization has, or null.';
