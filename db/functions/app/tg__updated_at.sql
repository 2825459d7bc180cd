-- Whoever changes a row moves its updated_at, and nobody sets it by hand.
create or replace function app.tg__updated_at()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.updated_at := greatest(now(), old.updated_at);
  return new;
end;
$$;

revoke all on function app.tg__updated_at() from public;
grant execute on function app.tg__updated_at() to svc_owner;
comment on function app.tg__updated_at() is 'Trigger: updated_at is the time of the transaction.';
