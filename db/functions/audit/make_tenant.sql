-- A throw-away tenant, by a name that no other tenant has.
create or replace function audit.make_tenant()
returns uuid
language sql
volatile
set search_path = ''
as $$
  insert into app.tenants (slug, name)
  select 'isolation-proof-' || salt, 'audit a' || salt
  from left(gen_random_uuid()::text, 8) as salt
  returning id;
$$;

revoke all on function audit.make_tenant() from public;
comment on function audit.make_tenant() is 'Adds a throw-away tenant.';
