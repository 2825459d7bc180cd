-- The core of every upsert, in a request of its own, in a batch and inside a lead.
-- Everything is decided before anything is written, so that a row which fails leaves
-- nothing, without a subtransaction. It raises for no rule of the directory. The
-- caller has taken app.lock_organizations, for all of its rows at once.
create or replace function app.upsert_organization(p_body jsonb)
returns app.outcome
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_body jsonb := app.without_null_reference(p_body);
  v_holders app.organizations[] := app.key_holders(v_body);
  v_match app.organizations := app.match_organization(v_holders, v_body);
  v_conflict app.outcome;
begin
  if app.is_ambiguous(v_holders, v_match, v_body) then
    return app.failure(
      'ambiguous_match',
      'Several organizations have this account_number: send an external_reference.'
    );
  end if;

  v_conflict := app.key_conflict(v_holders, v_match.id, v_body);
  if v_conflict.action is not null then
    return v_conflict;
  end if;

  return app.save_organization(v_match, app.with_blanks(v_body));
end;
$$;

revoke all on function app.upsert_organization(jsonb) from public;
grant execute on function app.upsert_organization(jsonb) to svc_api;
comment on function app.upsert_organization(jsonb) is
'Creates or updates an organization and its contacts, with its event; or the error that refuses it.';
