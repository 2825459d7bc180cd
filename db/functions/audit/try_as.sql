-- One attack: a statement with somebody else's rights, in a subtransaction that always rolls
-- back. Tells what came of it: the rows that it touched, the first value that it read, what
-- the witness (a query with the administrator's rights) saw afterwards, or the error.
-- Nothing of audit can be called while the other's rights are on.
create or replace function audit.try_as(
  p_persona audit.persona,
  p_settings jsonb,
  p_statement text,
  p_witness text default null,
  out state text,
  out message text,
  out touched bigint,
  out value text,
  out witnessed text
)
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_setting record;
begin
  begin
    for v_setting in select field.key, field.value from jsonb_each_text(p_settings) as field loop
      perform set_config(v_setting.key, v_setting.value, true);
    end loop;
    if (select rolsuper from pg_roles where rolname = session_user) then
      perform set_config('session_authorization', p_persona.login, true);
    end if;
    perform set_config('role', p_persona.role, true);

    if p_statement ~ '^select' then
      execute p_statement into value;
    else
      execute p_statement;
    end if;
    get diagnostics touched = row_count;
    set constraints all immediate;

    if p_witness is not null then
      set local session authorization default;
      reset role;
      execute p_witness into witnessed;
    end if;
    raise exception using errcode = 'AU001', message = 'taken back';
  exception
    when sqlstate 'AU001' then
      state := '00000';
    when others then
      get stacked diagnostics state = returned_sqlstate, message = message_text;
      touched := 0;
  end;
end;
$$;

revoke all on function audit.try_as(audit.persona, jsonb, text, text) from public;
comment on function audit.try_as(audit.persona, jsonb, text, text) is
'Runs a statement with a login''s rights and settings, takes it back, and tells the outcome.';
