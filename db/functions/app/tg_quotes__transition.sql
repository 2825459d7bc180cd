-- The office's side of a quote, enforced whoever writes:
-- open -> sent -> accepted or declined; open or sent -> expired; nothing else.
create or replace function app.tg_quotes__transition()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'open' then
      raise exception using
        errcode = 'PT409',
        constraint = 'invalid_transition',
        message = 'A quote begins as open.';
    end if;
    return new;
  end if;

  if new.status is not distinct from old.status then
    return new;
  end if;

  if (old.status, new.status) not in (
    ('open', 'sent'),
    ('open', 'expired'),
    ('sent', 'accepted'),
    ('sent', 'declined'),
    ('sent', 'expired')
  ) then
    raise exception using
      errcode = 'PT409',
      constraint = 'invalid_transition',
      message = format('A quote that is %s can''t become %s.', old.status, new.status);
  end if;

  new.status_changed_at := now();
  if new.status = 'sent' then
    new.sent_at := now();
  else
    new.closed_at := now();
  end if;
  return new;
end;
$$;

revoke all on function app.tg_quotes__transition() from public;
grant execute on function app.tg_quotes__transition() to svc_owner;
comment on function app.tg_quotes__transition() is 'Trigger: allowed moves of a quote''s status.';
