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

grant select on auth.analyst_tokens to svc_auth;
-- Deliberately no grant to svc_analyst: who can't read digests can't pass for another analyst.

-- ---------------------------------------------------------------- their tenants
create table auth.analyst_token_tenants (
  token_id uuid not null references auth.analyst_tokens (id) on delete cascade,
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  primary key (token_id, tenant_id)
);
comment on table auth.analyst_token_tenants is
'The tenants that a token sees. A deleted tenant leaves, and a token without any sees nothing.';

create index analyst_token_tenants_tenant_id_idx on auth.analyst_token_tenants (tenant_id);

grant select on auth.analyst_token_tenants to svc_auth;

reset role;

-- migrate:down

drop table auth.analyst_token_tenants;
drop table auth.analyst_tokens;
