-- The core of every upsert, in a request of its own, in a batch and inside a lead. It
-- raises for no rule of the directory. Rows that have nothing in common are matched and
-- saved together; one that depends on a row before it waits until that is saved, so that
-- all comes out as if it were done row by row. The caller has taken
-- app.lock_organizations, for all of its rows at once.
create or replace function app.upsert_organizations(p_bodies jsonb[])
returns app.outcome[]
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_outcomes app.outcome[] := '{}';
begin
  while cardinality(v_outcomes) < cardinality(p_bodies)
  loop
    v_outcomes := v_outcomes || app.save_organizations(
      app.match_organizations(p_bodies[cardinality(v_outcomes) + 1:])
    );
  end loop;
  return v_outcomes;
end;
$$;

revoke all on function app.upsert_organizations(jsonb[]) from public;
grant execute on function app.upsert_organizations(jsonb[]) to svc_api;
comment on function app.upsert_organizations(jsonb[]) is
'Creates or updates organizations and their contacts, with their events; for each what became of it.';
