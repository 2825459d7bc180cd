-- migrate:up

set local role svc_owner;

-- What every function of schema `api` returns: the answer as it goes to the caller.
create type api.reply as (
  status integer,
  body text,
  is_replay boolean
);

-- ---------------------------------------------------------------- tenants
create table app.tenants (
  id uuid primary key default uuidv7(),
  slug text not null,
  name text not null,
  created_at timestamptz not null default now(),
  constraint tenants_slug_key unique (slug),
  constraint tenants_slug_check check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  constraint tenants_slug_is_not_all check (slug <> 'all'),
  constraint tenants_name_check check (char_length(name) between 1 and 200)
);
comment on table app.tenants is 'Appraisal companies. Each owns its rows in every other table.';
comment on constraint tenants_slug_is_not_all on app.tenants is
'Commands take a list of slugs, or the word all.';

alter table app.tenants enable row level security;
alter table app.tenants force row level security;

create policy select_api on app.tenants for select to svc_api
using (id = (select auth.tenant_id()));
create policy select_auth on app.tenants for select to svc_auth
using (id = (select auth.tenant_id()));
create policy select_office on app.tenants for select to svc_office
using (id = (select office.tenant_id()));

grant select on app.tenants to svc_api, svc_auth, svc_office;
-- Nobody but the administrator adds, renames or removes a tenant.

select audit.watch('app.tenants');

-- ---------------------------------------------------------------- API keys
create table auth.api_keys (
  id uuid not null default uuidv7(),
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  name text not null,
  prefix text not null,
  digest bytea not null,
  scopes text[] not null,
  environment text not null,
  replaces_id uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (id, tenant_id),
  constraint api_keys_replaces_id_fkey foreign key (replaces_id, tenant_id)
  references auth.api_keys (id, tenant_id) on delete set null (replaces_id),
  constraint api_keys_digest_key unique (digest),
  constraint api_keys_digest_check check (octet_length(digest) = 32),
  constraint api_keys_name_check check (char_length(name) between 1 and 120),
  constraint api_keys_environment_check check (environment in ('test', 'live')),
  constraint api_keys_prefix_check
  check (prefix ~ ('^svc_' || environment || '_[0-9A-Za-z]{4}$')),
  constraint api_keys_scopes_check check (
    scopes <@ array[
      'organizations:read', 'organizations:write', 'leads:read', 'leads:write',
      'quotes:read', 'quotes:write', 'files:write', 'fees:read',
      'products:read', 'orders:read'
    ]
    and array_position(scopes, null) is null
  )
);
comment on table auth.api_keys is
'A key is known by its SHA-256 digest alone. No login role can read this table.';
comment on column auth.api_keys.prefix is 'First 13 characters of the key, to tell keys apart.';

alter table auth.api_keys enable row level security;
alter table auth.api_keys force row level security;

-- As the policy below and the functions that resolve keys compare it: whatever stands in the
-- setting is text, which needn't be a digest.
create index api_keys_hex_digest_idx on auth.api_keys (encode(digest, 'hex'));
create index api_keys_tenant_id_idx on auth.api_keys (tenant_id);
create index api_keys_replaces_id_idx on auth.api_keys (replaces_id, tenant_id);

-- Even the functions that resolve keys see one key only: whose digest is in force.
create policy select_auth on auth.api_keys for select to svc_auth
using (encode(digest, 'hex') = current_setting('svc.key_digest', true));

grant select on auth.api_keys to svc_auth;
-- Deliberately no grant to svc_api or svc_office: who can't read digests can't forge a tenant.

select audit.watch('auth.api_keys');

-- ---------------------------------------------------------------- idempotency
create table app.idempotency_keys (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  key text not null,
  fingerprint bytea not null,
  status integer not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, key),
  constraint idempotency_keys_key_check check (char_length(key) between 1 and 255)
);
comment on table app.idempotency_keys is
'The first answer to each Idempotency-Key, kept to be given again byte for byte.';
comment on column app.idempotency_keys.fingerprint is
'SHA-256 over method, path and canonical JSON body.';

alter table app.idempotency_keys enable row level security;
alter table app.idempotency_keys force row level security;

create index idempotency_keys_created_at_idx on app.idempotency_keys (created_at);

create policy all_api on app.idempotency_keys to svc_api
using (tenant_id = (select auth.tenant_id()))
with check (tenant_id = (select auth.tenant_id()));

-- An hour is the shortest time that a deployment can keep answers for.
create policy all_purge on app.idempotency_keys to svc_purge
using (created_at < now() - interval '1 hour');

grant select, insert on app.idempotency_keys to svc_api;
grant select (tenant_id, key, created_at), delete on app.idempotency_keys to svc_purge;
-- Deliberately no update: an answer once given doesn't change until it is forgotten.

reset role;

-- migrate:down

drop table app.idempotency_keys;
drop table auth.api_keys;
drop table app.tenants;
drop type api.reply;
