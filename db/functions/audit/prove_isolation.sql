-- Proves that tenants are apart by attacking: as every login, and every role that it can
-- become, it tries to reach one tenant's rows for another, in every table, view and function
-- that the catalogue has. It writes nothing: all of it, the tenants that it makes when none
-- are given included, is in a subtransaction that always rolls back.
-- Not a definer function, as those can't change roles: the administrator runs it.
create or replace function audit.prove_isolation(
  p_tenant_a uuid default null,
  p_tenant_b uuid default null
)
returns setof audit.attempt
language plpgsql
volatile
set search_path = ''
set lock_timeout = '2s'
as $$
declare
  v_scene jsonb;
  v_attempts audit.attempt[];
begin
  perform audit.require_attacker();
  begin
    v_scene := audit.set_scene(p_tenant_a, p_tenant_b);
    v_attempts := array(select attempts from audit.attack_all(v_scene) as attempts);
    raise exception using errcode = 'AU001', message = 'taken back';
  exception
    when sqlstate 'AU001' then
      return query select * from unnest(v_attempts);
  end;
end;
$$;

revoke all on function audit.prove_isolation(uuid, uuid) from public;
comment on function audit.prove_isolation(uuid, uuid) is
'Attacks one tenant''s rows for another as every login, in every way; one row per attempt. Rolls everything back.';
