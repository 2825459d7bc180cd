-- Keeps the history of a quote's status, from which time in each status is read.
create or replace function app.tg_quotes__status_change()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into app.quote_status_changes (tenant_id, quote_id, to_status)
    values (new.tenant_id, new.id, new.status);
  elsif new.status <> old.status then
    insert into app.quote_status_changes (tenant_id, quote_id, from_status, to_status)
    values (new.tenant_id, new.id, old.status, new.status);
  end if;
  return null;
end;
$$;

revoke all on function app.tg_quotes__status_change() from public;
grant execute on function app.tg_quotes__status_change() to svc_owner;
comment on function app.tg_quotes__status_change() is 'Trigger: one history row per status.';
