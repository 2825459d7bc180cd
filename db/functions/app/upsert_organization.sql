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
  v_refusal app.outcome := app.match_refusal(v_holders, v_match, v_body);
begin
  if v_refusal.action is not null then
    return v_refusal;
  end if;
  return app.save_organization(v_match, app.with_blanks(v_body));
end;
$$;

revoke all on function app.upsert_organization(jsonb) from public;
grant execute on function app.upsert_organization(jsonb) to svc_api;
comment on function app.upsert_organization(jsonb) is
'Creates or updates an organization and its contacts, with its event; or the error that refuses it.';
