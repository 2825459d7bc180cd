-- What becomes of each change: its contacts may conflict, or it may not be complete.
-- Within an organization an e-mail is one contact's alone; contacts that the request
-- itself moves to another address give theirs free.
create or replace function app.judge_organizations(p_changes app.organization_change[])
returns app.organization_change[]
language plpgsql
stable
set search_path = ''
as $$
begin
  return array(
    select row(change.old, change.new, change.sent_contacts, change.contacts, case
      when (change.outcome).action is not null then change.outcome
      when taken.email is not null then app.failure(
        'contact_conflict',
        format('Another contact of this organization has the e-mail %s.', taken.email)
      )
      when missing.fields <> '{}'
        then app.incomplete((change.new).client_type, missing.fields)
      when (change.old).id is null
        then row('created', (change.new).id, null, null, null)::app.outcome
      else row('updated', (change.new).id, null, null, null)::app.outcome
    end)::app.organization_change
    from unnest(p_changes) as change
    cross join lateral (select app.missing_fields(change.new) as fields) as missing
    left join lateral (
      select stored.email
      from unnest(change.contacts) as merged
      inner join app.contacts as stored
        on stored.organization_id = (change.old).id and stored.email_key = merged.email_key
      where not exists (
        select
        from unnest(change.contacts) as moved
        where moved.id = stored.id
      )
      order by stored.email_key
      limit 1
    ) as taken on true
  );
end;
$$;

revoke all on function app.judge_organizations(app.organization_change[]) from public;
grant execute on function app.judge_organizations(app.organization_change[]) to svc_api;
comment on function app.judge_organizations(app.organization_change[]) is
'The changes with their outcomes: created, updated, or the error that refuses one.';
