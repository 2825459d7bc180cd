-- Sets what follows from other columns, whoever writes and whatever they give. A trigger and
-- not generated columns, whose expressions PostgreSQL reads and plans anew in each insert.
create or replace function app.tg_quotes__derived()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.subject_county_key := reference.county_key(new.subject_state, new.subject_county);
  new.hours_open :=
    date_part('epoch', coalesce(new.sent_at, new.closed_at) - new.created_at) / 3600;
  new.hours_sent := date_part('epoch', new.closed_at - new.sent_at) / 3600;
  return new;
end;
$$;

revoke all on function app.tg_quotes__derived() from public;
grant execute on function app.tg_quotes__derived() to svc_owner;
comment on function app.tg_quotes__derived() is
'Trigger: the county''s key, and the hours a quote was open and sent.';
