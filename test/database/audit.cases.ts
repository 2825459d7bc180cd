// Faults that somebody might make in the schema, each with the check that must report it.
// `isMissedElsewhere` marks those that a well-known linter was seen to miss. A fault is
// made in a transaction that rolls back, as the administrator. Without a check the proof
// alone finds it, because nothing in the catalogue is wrong.

export type Fault = {
  /** What was done, as the page has it. */
  fault: string
  sql: string
  /** The check that must report it, among others perhaps. */
  check?: string
  isMissedElsewhere?: true
  /** The lint of Supabase's linter that looks for the same. */
  lint?: string
}

/** What Supabase's linter looks for and concerns isolation. */
export const lints = [
  '0001_unindexed_foreign_keys',
  '0002_auth_users_exposed',
  '0003_auth_rls_initplan',
  '0006_multiple_permissive_policies',
  '0007_policy_exists_rls_disabled',
  '0008_rls_enabled_no_policy',
  '0010_security_definer_view',
  '0011_function_search_path_mutable',
  '0013_rls_disabled_in_public',
  '0014_extension_in_public',
  '0015_rls_references_user_metadata',
  '0016_materialized_view_in_api',
  '0017_foreign_table_in_api',
  '0019_insecure_queue_exposed_in_api',
  '0023_sensitive_columns_exposed',
  '0024_rls_policy_always_true',
  '0025_public_bucket_allows_listing',
  '0026_pg_graphql_anon_table_exposed',
  '0027_pg_graphql_authenticated_table_exposed',
  '0028_anon_security_definer_function_executable',
  '0029_authenticated_security_definer_function_executable',
]

// A table as a hurried colleague would add it, with parts that go wrong in single faults.
const visits = ({
  columns = 'tenant_id uuid not null references app.tenants (id), id uuid not null default uuidv7()',
  key = ', primary key (tenant_id, id)',
  partitioned = '',
}): string => `
  create table app.visits (${columns}, note text not null${key}) ${partitioned};
  alter table app.visits enable row level security;
  alter table app.visits force row level security;
  create policy all_api on app.visits to svc_api using (tenant_id = (select auth.tenant_id()));
  grant select, insert, update on app.visits to svc_api;
  alter table app.visits owner to svc_owner;`

const partition = (name: string): string => `
  create table app.${name} partition of app.visits default;
  alter table app.${name} enable row level security;
  alter table app.${name} force row level security;
  alter table app.${name} owner to svc_owner;`

export const faults: Fault[] = [
  // ------------------------------------------------------------ row-level security
  {
    fault: 'row-level security is switched off on a table',
    sql: 'alter table app.quotes disable row level security',
    check: 'rls_disabled',
    lint: '0007_policy_exists_rls_disabled',
  },
  {
    fault: 'row-level security no longer binds the owner (`no force`)',
    sql: 'alter table app.quotes no force row level security',
    check: 'rls_not_forced',
    isMissedElsewhere: true,
  },
  {
    fault: 'row-level security is off on a partitioned parent, on in its partitions',
    sql: `${visits({ partitioned: 'partition by list (tenant_id)' })} ${partition('visits_rest')}
      alter table app.visits disable row level security`,
    check: 'rls_disabled',
    isMissedElsewhere: true,
  },
  {
    fault: 'a partition without row-level security can be read directly',
    sql: `${visits({ partitioned: 'partition by list (tenant_id)' })}
      create table app.visits_rest partition of app.visits default;
      alter table app.visits_rest owner to svc_owner;
      grant select on app.visits_rest to svc_api`,
    check: 'rls_disabled',
  },
  {
    fault: 'a child table inherits the columns, not the row-level security',
    sql: `create table app.old_quotes () inherits (app.quotes);
      alter table app.old_quotes owner to svc_owner;
      grant select on app.old_quotes to svc_api`,
    check: 'rls_disabled',
  },
  {
    fault: 'a copy of a table lies in another schema',
    sql: `create table public.quotes_copy as select * from app.quotes;
      grant usage on schema public to svc_api;
      grant select on public.quotes_copy to svc_api`,
    check: 'rls_disabled',
    lint: '0013_rls_disabled_in_public',
  },
  {
    fault: 'a table has lost its policies',
    sql: `${visits({})} drop policy all_api on app.visits`,
    check: 'table_without_policy',
    lint: '0008_rls_enabled_no_policy',
  },
  {
    fault: 'a policy `for select using (true)`',
    sql: 'alter policy select_api on app.quotes using (true)',
    check: 'policy_always_true',
    isMissedElsewhere: true,
  },
  {
    fault: 'a policy `using (true)` for analysts',
    sql: 'alter policy select_analyst on app.quotes using (true)',
    check: 'policy_always_true',
  },
  {
    fault: 'a policy whose `with check` is `true`',
    sql: 'alter policy all_api on app.leads with check (true)',
    check: 'policy_always_true',
    lint: '0024_rls_policy_always_true',
  },
  {
    fault: 'a policy whose `with check` names a column, but not the tenant',
    sql: `alter policy all_api on app.leads with check (stage = 'lead')`,
    check: 'policy_not_tied_to_tenant',
    isMissedElsewhere: true,
  },
  {
    fault: 'a policy that compares `tenant_id = tenant_id`',
    sql: 'alter policy select_api on app.products using (tenant_id = tenant_id)',
    check: 'policy_not_tied_to_tenant',
    isMissedElsewhere: true,
  },
  {
    fault: 'a policy with `or … is null`, for a session without a key',
    sql: `alter policy select_api on app.quotes using (
      tenant_id = (select auth.tenant_id()) or (select auth.tenant_id()) is null)`,
    check: 'policy_not_tied_to_tenant',
    isMissedElsewhere: true,
  },
  {
    fault: 'a policy that compares another column with the tenant',
    sql: 'alter policy select_api on app.quotes using (id = (select auth.tenant_id()))',
    check: 'policy_not_tied_to_tenant',
  },
  {
    fault: 'a policy that believes a setting, which anybody can make',
    sql: `alter policy select_api on app.quotes using (
      tenant_id = (select nullif(current_setting('svc.tenant', true), '')::uuid))`,
    check: 'policy_not_tied_to_tenant',
    lint: '0015_rls_references_user_metadata',
  },
  {
    fault: 'a policy of the API that trusts the office\'s tenant',
    sql: `grant usage on schema office to svc_api;
      grant execute on function office.tenant_id() to svc_api;
      alter policy select_api on app.quotes using (tenant_id = (select office.tenant_id()))`,
    check: 'policy_not_tied_to_tenant',
  },
  {
    fault: 'a policy that lets a login list every document',
    sql: `create policy list_api on app.documents for select to svc_api using (true);
      grant select (tenant_id, id, file_name) on app.documents to svc_api`,
    check: 'policy_always_true',
    lint: '0025_public_bucket_allows_listing',
  },
  {
    fault: 'a policy for everyone (`to public`)',
    sql: `create policy select_all on app.fees for select
      using (tenant_id = (select auth.tenant_id()))`,
    check: 'policy_for_everyone',
  },
  {
    fault: 'two permissive policies that add up',
    sql: `create policy select_open on app.quotes for select to svc_api
      using (tenant_id = (select auth.tenant_id()) and status = 'open')`,
    check: 'policies_add_up',
    lint: '0006_multiple_permissive_policies',
  },
  {
    fault: 'a permissive policy for a group that a login belongs to',
    sql: `create role planted_readers nologin;
      grant planted_readers to svc_api;
      create policy select_readers on app.quotes for select to planted_readers using (true)`,
    check: 'policies_add_up',
  },
  {
    fault: 'a policy that calls its function once a row',
    sql: 'alter policy select_api on app.quotes using (tenant_id = auth.tenant_id())',
    check: 'policy_per_row',
    isMissedElsewhere: true,
    lint: '0003_auth_rls_initplan',
  },
  {
    fault: 'a table whose policy has no index to use',
    sql: visits({ key: '' }),
    check: 'policy_column_without_index',
  },
  // ------------------------------------------------------------ tables and keys
  {
    fault: 'a table without a tenant',
    sql: `create table app.remarks (id uuid primary key, note text not null);
      alter table app.remarks owner to svc_owner;
      grant select on app.remarks to svc_api`,
    check: 'tenant_column_missing',
  },
  {
    fault: 'a tenant that may be null',
    sql: visits({ columns: 'tenant_id uuid references app.tenants (id), id uuid not null', key: '' }),
    check: 'tenant_column_nullable',
    isMissedElsewhere: true,
  },
  {
    fault: 'a tenant that need not exist',
    sql: 'alter table app.leads drop constraint leads_tenant_id_fkey, drop constraint leads_organization_id_fkey',
    check: 'tenant_column_unbound',
  },
  {
    fault: 'a unique key across tenants',
    sql: 'alter table app.leads add constraint leads_reference_key unique (external_reference)',
    check: 'key_without_tenant',
    isMissedElsewhere: true,
  },
  {
    fault: 'a primary key without the tenant',
    sql: visits({ key: ', primary key (id)' }),
    check: 'key_without_tenant',
  },
  {
    fault: 'a foreign key without the tenant',
    sql: `alter table app.organizations add constraint organizations_id_key unique (id);
      alter table app.leads
        drop constraint leads_organization_id_fkey,
        add constraint leads_organization_id_fkey
        foreign key (organization_id) references app.organizations (id)`,
    check: 'foreign_key_without_tenant',
    isMissedElsewhere: true,
  },
  {
    fault: 'a foreign key without an index',
    sql: 'drop index app.leads_organization_id_idx',
    check: 'foreign_key_without_index',
    lint: '0001_unindexed_foreign_keys',
  },
  {
    fault: 'a foreign key that is not enforced',
    sql: 'alter table app.leads alter constraint leads_organization_id_fkey not enforced',
    check: 'constraint_not_enforced',
  },
  {
    fault: 'a foreign key that was never validated',
    sql: `alter table app.leads
      drop constraint leads_organization_id_fkey,
      add constraint leads_organization_id_fkey foreign key (tenant_id, organization_id)
      references app.organizations (tenant_id, id) not valid`,
    check: 'constraint_not_enforced',
  },
  {
    fault: 'triggers switched off, foreign keys among them',
    sql: 'alter table app.leads disable trigger all',
    check: 'trigger_disabled',
  },
  {
    fault: 'a rule that writes elsewhere with its owner\'s rights',
    sql: `create rule copy_leads as on update to app.leads
      do also delete from app.contacts where contacts.tenant_id <> new.tenant_id`,
    check: 'rule_on_table',
  },
  {
    fault: 'rows of all tenants are numbered from one sequence',
    sql: 'alter table app.leads add column number bigint generated always as identity',
    check: 'shared_sequence',
  },
  {
    fault: 'a view with its owner\'s rights',
    sql: `create view app.quote_list as select * from app.quotes;
      grant select on app.quote_list to svc_api`,
    check: 'view_with_owner_rights',
    lint: '0010_security_definer_view',
  },
  {
    fault: 'an analysts\' view that no longer runs with their rights',
    sql: 'alter view analytics.quotes reset (security_invoker)',
    check: 'view_with_owner_rights',
  },
  {
    fault: 'a view with its owner\'s rights that only counts',
    sql: `create view app.quote_totals as select count(*) as quotes from app.quotes;
      grant select on app.quote_totals to svc_api`,
    check: 'view_with_owner_rights',
  },
  {
    fault: 'a view that shows the keys',
    sql: `create view app.key_list as select id, name, prefix from auth.api_keys;
      grant select on app.key_list to svc_api`,
    check: 'view_with_owner_rights',
    lint: '0002_auth_users_exposed',
  },
  {
    fault: 'a materialized view over tenants\' rows',
    sql: `create materialized view app.quote_cache as select * from app.quotes;
      grant select on app.quote_cache to svc_api`,
    check: 'materialized_view',
    lint: '0016_materialized_view_in_api',
  },
  {
    fault: 'a foreign table with tenants\' rows',
    sql: `create foreign data wrapper elsewhere;
      create server elsewhere foreign data wrapper elsewhere;
      create foreign table app.remote_quotes (tenant_id uuid not null, id uuid) server elsewhere`,
    check: 'foreign_table',
    lint: '0017_foreign_table_in_api',
  },
  {
    fault: 'a publication that sends every table away',
    sql: 'create publication everything for all tables',
    check: 'publication',
  },
  // ------------------------------------------------------------ functions
  {
    fault: 'a definer function without a pinned search path',
    sql: 'alter function auth.identity_json() reset search_path',
    check: 'definer_search_path',
  },
  {
    fault: 'a function that takes its search path from its caller',
    sql: `create function api.today() returns date language sql stable as 'select current_date';
      revoke all on function api.today() from public`,
    check: 'function_search_path',
    lint: '0011_function_search_path_mutable',
  },
  {
    fault: 'a definer function that everyone may call',
    sql: 'grant execute on function auth.identity_json() to public',
    check: 'function_open_to_public',
    lint: '0028_anon_security_definer_function_executable',
  },
  {
    fault: 'a new function, open to everyone by PostgreSQL\'s own default',
    sql: `alter default privileges grant execute on functions to public;
      create function api.ping() returns integer language sql set search_path = '' as 'select 1'`,
    check: 'function_open_to_public',
  },
  {
    fault: 'a definer function of a superuser\'s that reads all tenants',
    sql: `create function api.peek() returns setof app.quotes
      language sql stable security definer set search_path = '' as 'select * from app.quotes';
      revoke all on function api.peek() from public;
      grant execute on function api.peek() to svc_api`,
    check: 'definer_too_strong',
  },
  {
    fault: 'a definer function of the owner\'s that believes a setting of its caller\'s',
    sql: `create function api.names() returns setof text
      language sql stable security definer set search_path = '' as 'select name from app.tenants';
      alter function api.names() owner to svc_owner;
      revoke all on function api.names() from public;
      grant execute on function api.names() to svc_api`,
    check: 'definer_too_strong',
  },
  {
    fault: 'a trusted definer function has a new caller',
    sql: `grant usage on schema outbox to svc_office;
      grant execute on function outbox.queue_metrics() to svc_office`,
    check: 'definer_too_strong',
  },
  {
    fault: 'a login may run a definer function that is not for it',
    sql: 'grant execute on function auth.record_usage(jsonb) to svc_office',
    check: 'grant_outside_purpose',
    lint: '0029_authenticated_security_definer_function_executable',
  },
  {
    fault: 'a definer function of the worker\'s that changes any tenant\'s row',
    sql: `create function api.forget(p_id uuid) returns void
      language sql security definer set search_path = ''
      as 'delete from outbox.deliveries where endpoint_id = p_id';
      alter function api.forget(uuid) owner to svc_worker;
      revoke all on function api.forget(uuid) from public;
      grant execute on function api.forget(uuid) to svc_api`,
    check: 'definer_too_strong',
  },
  {
    fault: 'the tenant\'s function is marked immutable',
    sql: 'alter function auth.tenant_id() immutable',
    check: 'context_function',
    isMissedElsewhere: true,
  },
  {
    fault: 'the tenant\'s function runs as its caller',
    sql: 'alter function auth.tenant_id() security invoker',
    check: 'context_function',
  },
  {
    fault: 'the tenant\'s function believes a setting',
    sql: `create or replace function auth.tenant_id() returns uuid
      language plpgsql stable security definer set search_path = ''
      as $$ begin return nullif(current_setting('svc.chosen_tenant', true), '')::uuid; end $$`,
  },
  {
    fault: 'a function that claims to be leakproof',
    sql: `create function app.matches(text, text) returns boolean
      language plpgsql immutable leakproof set search_path = ''
      as $$ begin raise notice '%', $1; return $1 = $2; end $$;
      revoke all on function app.matches(text, text) from public`,
    check: 'function_claims_leakproof',
  },
  {
    fault: 'a function in an untrusted language',
    sql: `create function app.pid() returns integer language internal as 'pg_backend_pid';
      revoke all on function app.pid() from public`,
    check: 'untrusted_language',
  },
  {
    fault: 'an extension that opens connections',
    sql: 'create extension dblink with schema extensions',
    check: 'extension_unknown',
  },
  {
    fault: 'an extension\'s functions lie among other objects',
    sql: 'alter extension pg_trgm set schema public',
    check: 'extension_unknown',
    lint: '0014_extension_in_public',
  },
  {
    fault: 'code that runs when the administrator migrates',
    sql: `create function app.on_change() returns event_trigger language plpgsql
      set search_path = '' as $$ begin end $$;
      revoke all on function app.on_change() from public;
      create event trigger on_change on ddl_command_end execute function app.on_change()`,
    check: 'event_trigger',
  },
  // ------------------------------------------------------------ roles
  {
    fault: 'the API\'s login is a superuser',
    sql: 'alter role svc_api superuser',
    check: 'role_too_powerful',
  },
  {
    fault: 'the office\'s login bypasses row-level security',
    sql: 'alter role svc_office bypassrls',
    check: 'role_too_powerful',
  },
  {
    fault: 'the worker\'s login may copy the cluster by replication',
    sql: 'alter role svc_worker replication',
    check: 'role_too_powerful',
  },
  {
    fault: 'a new login that bypasses row-level security',
    sql: `create role planted_reporting login bypassrls;
      grant usage on schema app to planted_reporting;
      grant select on app.quotes to planted_reporting`,
    check: 'role_too_powerful',
  },
  {
    fault: 'a login that can become a bypassing role, by way of another',
    sql: `create role planted_dba nologin bypassrls;
      create role planted_support nologin;
      grant usage on schema app to planted_dba;
      grant select on all tables in schema app to planted_dba;
      grant planted_dba to planted_support;
      grant planted_support to svc_api`,
    check: 'role_can_become',
    isMissedElsewhere: true,
  },
  {
    fault: 'a person\'s login can become the office\'s',
    sql: 'create role planted_intern login; grant svc_office to planted_intern',
    check: 'role_can_become',
  },
  {
    fault: 'an auditor who may act for the office',
    sql: 'grant svc_office to svc_auditor with inherit true',
    check: 'role_can_become',
  },
  {
    fault: 'a login that can become the tables\' owner',
    sql: 'grant svc_owner to svc_office',
    check: 'role_can_become',
  },
  {
    fault: 'the API\'s login can become the worker\'s',
    sql: 'grant svc_worker to svc_api with inherit false',
    check: 'role_can_become',
  },
  {
    fault: 'analysts read all data by a role of PostgreSQL\'s own',
    sql: 'grant pg_read_all_data to svc_analyst',
    check: 'role_can_become',
  },
  {
    fault: 'the API\'s login owns the database',
    sql: `do $$ begin
      execute format('alter database %I owner to svc_api', current_database());
    end $$`,
    check: 'administrator_of_service',
  },
  {
    fault: 'a role that works across tenants can log in',
    sql: 'alter role svc_search login',
    check: 'role_logs_in',
  },
  {
    fault: 'a table\'s owner logs in',
    sql: 'alter table app.quotes owner to svc_office',
    check: 'owner_logs_in',
  },
  {
    fault: 'a login may create objects in a schema',
    sql: 'grant create on schema api to svc_api',
    check: 'schema_create_right',
  },
  {
    fault: 'new tables are open to a login by default',
    sql: 'alter default privileges for role svc_owner in schema app grant select on tables to svc_worker',
    check: 'default_privileges',
  },
  {
    fault: 'new functions are open to everyone by default again',
    sql: 'alter default privileges for role svc_owner grant execute on functions to public',
    check: 'default_privileges',
  },
  {
    fault: 'a login starts its sessions with a digest in force',
    sql: `alter role svc_api set svc.key_digest = '${'0'.repeat(64)}'`,
    check: 'setting_preset',
  },
  {
    fault: 'a login may switch triggers and foreign keys off',
    sql: 'grant set on parameter session_replication_role to svc_office',
    check: 'parameter_grant',
  },
  // ------------------------------------------------------------ grants
  {
    fault: 'a login may truncate a table',
    sql: 'grant truncate on app.idempotency_keys to svc_api',
    check: 'dangerous_grant',
    isMissedElsewhere: true,
  },
  {
    fault: 'a login may refer to a table with foreign keys of its own',
    sql: 'grant references on app.quotes to svc_worker',
    check: 'dangerous_grant',
  },
  {
    fault: 'everyone may read a table',
    sql: 'grant select on app.products to public',
    check: 'granted_to_everyone',
    lint: '0026_pg_graphql_anon_table_exposed',
  },
  {
    fault: 'a right that may be passed on',
    sql: 'grant select on app.quotes to svc_office with grant option',
    check: 'grant_with_option',
  },
  {
    fault: 'the worker may read a business table',
    sql: 'grant usage on schema app to svc_worker; grant select on app.quotes to svc_worker',
    check: 'grant_outside_purpose',
  },
  {
    fault: 'the API may read the job queue',
    sql: 'grant select on graphile_worker._private_jobs to svc_api',
    check: 'grant_outside_purpose',
    lint: '0019_insecure_queue_exposed_in_api',
  },
  {
    fault: 'a table that is not for analysts shows in their GraphQL schema',
    sql: 'grant usage on schema audit to svc_analyst; grant select on audit.changes to svc_analyst',
    check: 'grant_outside_purpose',
    lint: '0027_pg_graphql_authenticated_table_exposed',
  },
  {
    fault: 'the worker may use the schema of the keys',
    sql: 'grant usage on schema auth to svc_worker',
    check: 'grant_outside_purpose',
  },
  {
    fault: 'analysts may write',
    sql: 'grant insert on app.leads to svc_analyst',
    check: 'grant_outside_purpose',
  },
  {
    fault: 'the API\'s login may read the keys',
    sql: 'grant select on auth.api_keys to svc_api',
    check: 'secret_readable',
  },
  {
    fault: 'a login may read the webhooks\' secrets',
    sql: 'grant select (id, secret) on outbox.endpoints to svc_api',
    check: 'secret_readable',
    lint: '0023_sensitive_columns_exposed',
  },
  {
    fault: 'analysts may read a borrower\'s name and a client\'s e-mail',
    sql: 'grant select (borrower_name, client_email) on app.quotes to svc_analyst',
    check: 'personal_data_for_analysts',
  },
  {
    fault: 'bytes in a large object, which row-level security doesn\'t cover',
    sql: 'select lo_create(0)',
    check: 'large_object',
  },
  // ------------------------------------------------------------ history
  {
    fault: 'changes of keys are no longer recorded',
    sql: 'drop trigger _950_history on auth.api_keys',
    check: 'history_incomplete',
  },
  {
    fault: 'history can be rewritten',
    sql: 'alter table audit.changes disable trigger _100_append_only',
    check: 'history_incomplete',
  },
]
