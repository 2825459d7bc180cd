-- migrate:up

set local role svc_owner;

-- ---------------------------------------------------------------- analyst tokens
create table auth.analyst_tokens (
  id uuid primary key default uuidv7(),
  name text not null,
  prefix text not null,
  digest bytea not null,
  is_for_all_tenants boolean not null default false,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  constraint analyst_tokens_digest_key unique (digest),
  constraint analyst_tokens_digest_check check (octet_length(digest) = 32),
  constraint analyst_tokens_name_check check (char_length(name) between 1 and 120),
  constraint analyst_tokens_prefix_check check (prefix ~ '^svc_analyst_[0-9A-Za-z]{4}$')
);
comment on table auth.analyst_tokens is
'A token for /graphql is known by its SHA-256 digest alone. No login role can read this table.';
comment on column auth.analyst_tokens.is_for_all_tenants is
'Whether the token sees every tenant, future ones included; else see analyst_token_tenants.';
comment on column auth.analyst_tokens.prefix is 'First 16 characters of the token, to tell tokens apart.';

alter table auth.analyst_tokens enable row level security;
alter table auth.analyst_tokens force row level security;

-- As the policy below and the functions that resolve tokens compare it.
create index analyst_tokens_hex_digest_idx on auth.analyst_tokens (encode(digest, 'hex'));

-- Even the functions that resolve tokens see one only: whose digest is in force.
create policy select_auth on auth.analyst_tokens for select to svc_auth
using (encode(digest, 'hex') = current_setting('svc.analyst_digest', true));

grant select on auth.analyst_tokens to svc_auth;
-- Deliberately no grant to svc_analyst: who can't read digests can't pass for another analyst.

select audit.watch('auth.analyst_tokens');

-- ---------------------------------------------------------------- their tenants
create table auth.analyst_token_tenants (
  token_id uuid not null references auth.analyst_tokens (id) on delete cascade,
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  primary key (token_id, tenant_id)
);
comment on table auth.analyst_token_tenants is
'The tenants that a token sees. A deleted tenant leaves, and a token without any sees nothing.';

create index analyst_token_tenants_tenant_id_idx on auth.analyst_token_tenants (tenant_id);

alter table auth.analyst_token_tenants enable row level security;
alter table auth.analyst_token_tenants force row level security;

create policy select_auth on auth.analyst_token_tenants for select to svc_auth
using (token_id = (select analyst_tokens.id from auth.analyst_tokens));

grant select on auth.analyst_token_tenants to svc_auth;

select audit.watch('auth.analyst_token_tenants');

reset role;

-- migrate:down

drop table auth.analyst_token_tenants;
drop table auth.analyst_tokens;
