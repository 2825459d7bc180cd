-- A throw-away tenant.
create or replace function audit.make_tenant()
returns uuid
language sql
volatile
set search_path = ''
as $$
  insert into app.tenants (slug, name)
  values ('isolation-proof-' || left(gen_random_uuid()::text, 8), 'Isolation proof')
  returning id;
$$;

revoke all on function audit.make_tenant() from public;
comment on function audit.make_tenant() is 'Adds a throw-away tenant.';
