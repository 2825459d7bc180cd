-- migrate:up

-- Roles belong to the whole cluster, so another database of it may have made
-- them already. Logins get their passwords from `npm run migrate`, never here.
-- One login role per purpose: policies never depend on `set role`.
do $$
declare
  v_role record;
begin
  for v_role in
    select *
    from (values
      ('svc_owner', 'nologin', 'owns the tables and logs in nowhere'),
      ('svc_auth', 'nologin', 'owns the functions that resolve keys to tenants'),
      ('svc_outbox', 'nologin', 'owns the functions that write events'),
      ('svc_purge', 'nologin', 'owns the function that forgets idempotency keys'),
      ('svc_search', 'nologin', 'owns the function that searches names'),
      ('svc_audit', 'nologin', 'owns the function that writes the history of changes'),
      ('svc_api', 'login', 'the public API: one function per operation'),
      ('svc_worker', 'login', 'delivers webhooks; sees no business table'),
      ('svc_office', 'login', 'the office: quotes, milestones, catalogue'),
      ('svc_analyst', 'login', 'reads the analytics schema'),
      ('svc_auditor', 'login', 'runs the isolation audit')
    ) as role (name, login, purpose)
  loop
    if not exists (select from pg_roles where rolname = v_role.name) then
      execute format(
        'create role %I %s nosuperuser nocreatedb nocreaterole nobypassrls noreplication',
        v_role.name,
        v_role.login
      );
    end if;
    execute format('comment on role %I is %L', v_role.name, v_role.purpose);
  end loop;
end;
$$;

create schema app authorization svc_owner;
create schema reference authorization svc_owner;
create schema auth authorization svc_owner;
create schema api authorization svc_owner;
create schema outbox authorization svc_owner;
create schema office authorization svc_owner;
create schema analytics authorization svc_owner;
create schema audit authorization svc_owner;
create schema graphile_worker authorization svc_worker;

comment on schema app is 'Tables of the business. Row-level security is enabled and forced on each.';
comment on schema reference is 'Facts that are nobody''s in particular: states, how counties compare.';
comment on schema auth is 'API keys and the functions that turn a key into a tenant.';
comment on schema api is 'One function per operation of the public API.';
comment on schema outbox is 'Committed events, webhook endpoints and deliveries.';
comment on schema analytics is 'What analysts see: views without personal data and without secrets.';
comment on schema office is 'What the office of an appraisal company does: catalogue, quotes, orders.';
comment on schema audit is 'Proves that tenants are apart, and remembers who changed what.';

grant usage on schema app to
  svc_auth, svc_api, svc_office, svc_outbox, svc_purge, svc_search;
grant usage on schema reference to svc_owner, svc_api, svc_office, svc_worker;
grant usage on schema auth to
  svc_auth, svc_api, svc_office, svc_outbox, svc_search, svc_analyst;
grant usage on schema api to svc_api;
grant usage on schema outbox to svc_outbox, svc_worker, svc_api;
grant usage on schema office to svc_office;
grant usage on schema analytics to svc_analyst;
grant usage on schema audit to svc_audit, svc_auditor, svc_office;
-- A process finds out at its start whether this is the schema that it knows.
grant usage on schema public to svc_api, svc_worker;
grant select on public.schema_migrations to svc_api, svc_worker;

-- Nothing is open to everyone, now or when an object is added.
revoke all on schema public from public;
alter default privileges revoke execute on functions from public;
alter default privileges for role svc_owner revoke execute on functions from public;
alter default privileges for role svc_auth revoke execute on functions from public;
alter default privileges for role svc_outbox revoke execute on functions from public;
alter default privileges for role svc_search revoke execute on functions from public;
alter default privileges for role svc_purge revoke execute on functions from public;
alter default privileges for role svc_audit revoke execute on functions from public;
alter default privileges for role svc_worker revoke execute on functions from public;

-- Time-outs of each login. A statement of the API is short or it is wrong; whoever waits
-- longer than this for a lock waits behind somebody who hangs. The last line of each ends
-- what works for a client that has gone: without it a statement is finished for nobody.
alter role svc_api set statement_timeout = '15s';
alter role svc_api set lock_timeout = '10s';
alter role svc_api set idle_in_transaction_session_timeout = '15s';
alter role svc_api set transaction_timeout = '30s';
alter role svc_api set client_connection_check_interval = '2s';
-- Each of its statements is about a few rows of one tenant, for which there is an index. While
-- a table is small, reading all of it looks cheaper to the planner, and a session keeps that
-- plan; with a hundred keys each look for the tenant in force took twenty times as long.
alter role svc_api set enable_seqscan = off;
alter role svc_worker set statement_timeout = '60s';
alter role svc_worker set lock_timeout = '30s';
alter role svc_worker set idle_in_transaction_session_timeout = '60s';
alter role svc_worker set client_connection_check_interval = '2s';
-- An import is one long statement of an operator who looks on.
alter role svc_office set statement_timeout = '5min';
alter role svc_office set lock_timeout = '30s';
alter role svc_office set idle_in_transaction_session_timeout = '60s';
alter role svc_office set client_connection_check_interval = '10s';
alter role svc_auditor set statement_timeout = '10min';
alter role svc_auditor set lock_timeout = '30s';
alter role svc_auditor set idle_in_transaction_session_timeout = '60s';
alter role svc_auditor set client_connection_check_interval = '10s';
alter role svc_analyst set statement_timeout = '10s';
alter role svc_analyst set lock_timeout = '5s';
alter role svc_analyst set idle_in_transaction_session_timeout = '15s';
alter role svc_analyst set transaction_timeout = '30s';
alter role svc_analyst set client_connection_check_interval = '2s';
alter role svc_analyst set default_transaction_read_only = on;
-- A question may take one core, so that the others stay the API's.
alter role svc_analyst set max_parallel_workers_per_gather = 0;
-- Compiling costs more than it gains, measured over a million quotes.
alter role svc_analyst set jit = off;

-- The worker's tables are queues, empty or full from one moment to the next: what the
-- planner believes of them is wrong, and the plan that a session has kept is older
-- still. Each of its queries goes from a few rows along an index, whatever is believed.
alter role svc_worker set enable_seqscan = off;
alter role svc_worker set enable_bitmapscan = off;
alter role svc_worker set enable_hashjoin = off;
alter role svc_worker set enable_mergejoin = off;
-- Whatever a crash of the database takes back of the worker's is done again: events and
-- their jobs are the API's commits, which wait for the disk. What follows goes in order.
alter role svc_worker set synchronous_commit = off;

create schema extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists btree_gin with schema extensions;
grant usage on schema extensions to svc_owner, svc_api, svc_office;

-- migrate:down

drop schema if exists
  graphile_worker, audit, analytics, office, outbox, api, auth, app cascade;
drop extension if exists btree_gin;
drop extension if exists pg_trgm;
drop schema if exists reference, extensions cascade;
grant usage on schema public to public;
alter default privileges grant execute on functions to public;
do $$
declare
  v_role text;
begin
  foreach v_role in array array[
    'svc_owner', 'svc_auth', 'svc_outbox', 'svc_purge', 'svc_search', 'svc_audit',
    'svc_api', 'svc_worker', 'svc_office', 'svc_analyst', 'svc_auditor'
  ]
  loop
    execute format('drop owned by %I', v_role);
    begin
      execute format('drop role %I', v_role);
    exception
      when dependent_objects_still_exist then
        raise notice 'role % stays: another database uses it', v_role;
    end;
  end loop;
end;
$$;
