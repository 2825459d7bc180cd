-- The answer to who has saved a record: the record, with what was done to it.
create or replace function app.saved_reply(p_action text, p_record json)
returns api.reply
language sql
immutable
parallel safe
set search_path = ''
as $$
  select app.reply(
    case p_action when 'created' then 201 else 200 end,
    app.with_action(p_record, p_action)
  );
$$;

revoke all on function app.saved_reply(text, json) from public;
grant execute on function app.saved_reply(text, json) to svc_api;
comment on function app.saved_reply(text, json) is
'201 with what was created, 200 with what was updated.';
