-- migrate:up

set local role svc_owner;

-- ---------------------------------------------------------------- products
create table app.products (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  code text not null,
  name text not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, code),
  constraint products_code_check check (char_length(code) between 1 and 64),
  constraint products_name_check check (char_length(name) between 1 and 200)
);
comment on table app.products is 'Kinds of appraisal that a tenant offers.';

alter table app.products enable row level security;
alter table app.products force row level security;

create policy select_api on app.products for select to svc_api
using (tenant_id = (select auth.tenant_id()));
create policy all_office on app.products to svc_office
using (tenant_id = (select office.tenant_id()))
with check (tenant_id = (select office.tenant_id()));

grant select on app.products to svc_api;
grant select, insert, update on app.products to svc_office;
-- Deliberately no delete: quotes name their product for good. Set is_active instead.

-- ---------------------------------------------------------------- appraisers
create table app.appraisers (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  id uuid not null default uuidv7(),
  external_reference text not null,
  name text not null,
  is_active boolean not null default true,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint appraisers_external_reference_key unique (tenant_id, external_reference),
  constraint appraisers_external_reference_check
  check (char_length(external_reference) between 1 and 120),
  constraint appraisers_name_check check (char_length(name) between 1 and 200)
);
comment on table app.appraisers is 'Who does the work, and where: see coverage and fees.';
comment on column app.appraisers.is_default is
'The default fee appraiser: while active, the only one that coverage and fees count.';

alter table app.appraisers enable row level security;
alter table app.appraisers force row level security;

create unique index appraisers_default_key on app.appraisers (tenant_id) where is_default;

create policy select_api on app.appraisers for select to svc_api
using (tenant_id = (select auth.tenant_id()));
create policy all_office on app.appraisers to svc_office
using (tenant_id = (select office.tenant_id()))
with check (tenant_id = (select office.tenant_id()));

grant select on app.appraisers to svc_api;
grant select, insert, update on app.appraisers to svc_office;

-- ---------------------------------------------------------------- coverage
create table app.coverage (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  id uuid not null default uuidv7(),
  appraiser_id uuid not null,
  product_code text,
  state text not null,
  county text,
  county_key text generated always as (reference.county_key(state, county)) stored,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint coverage_area_key unique nulls not distinct
  (tenant_id, state, county_key, appraiser_id, product_code),
  constraint coverage_appraiser_id_fkey foreign key (tenant_id, appraiser_id)
  references app.appraisers (tenant_id, id) on delete cascade,
  constraint coverage_product_code_fkey foreign key (tenant_id, product_code)
  references app.products (tenant_id, code),
  constraint coverage_state_check check (reference.is_state(state)),
  constraint coverage_county_check check (char_length(county) between 1 and 120),
  constraint coverage_county_key_check check (county is null or county_key <> '')
);
comment on table app.coverage is
'An appraiser covers a county, or a whole state when county is null, for one product or for all.';

alter table app.coverage enable row level security;
alter table app.coverage force row level security;

create index coverage_appraiser_id_idx on app.coverage (tenant_id, appraiser_id);
create index coverage_product_code_idx on app.coverage (tenant_id, product_code);

create policy select_api on app.coverage for select to svc_api
using (tenant_id = (select auth.tenant_id()));
create policy all_office on app.coverage to svc_office
using (tenant_id = (select office.tenant_id()))
with check (tenant_id = (select office.tenant_id()));

grant select on app.coverage to svc_api;
grant select, insert, update, delete on app.coverage to svc_office;

-- ---------------------------------------------------------------- fees
create table app.fees (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  id uuid not null default uuidv7(),
  appraiser_id uuid not null,
  product_code text,
  state text,
  county text,
  county_key text generated always as (reference.county_key(state, county)) stored,
  fee numeric(12, 2) not null,
  turnaround_days integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint fees_area_key unique nulls not distinct
  (tenant_id, appraiser_id, product_code, state, county_key),
  constraint fees_appraiser_id_fkey foreign key (tenant_id, appraiser_id)
  references app.appraisers (tenant_id, id) on delete cascade,
  constraint fees_product_code_fkey foreign key (tenant_id, product_code)
  references app.products (tenant_id, code),
  constraint fees_state_check check (reference.is_state(state)),
  constraint fees_county_check check (char_length(county) between 1 and 120),
  constraint fees_county_key_check check (county is null or county_key <> ''),
  constraint fees_county_has_state check (county is null or state is not null),
  constraint fees_fee_check check (fee >= 0),
  constraint fees_turnaround_days_check check (turnaround_days between 0 and 3650)
);
comment on table app.fees is
'Engagement fee in USD of an appraiser for a product, in one county, one state, or anywhere.';

alter table app.fees enable row level security;
alter table app.fees force row level security;

create index fees_product_code_idx on app.fees (tenant_id, product_code);

create policy select_api on app.fees for select to svc_api
using (tenant_id = (select auth.tenant_id()));
create policy all_office on app.fees to svc_office
using (tenant_id = (select office.tenant_id()))
with check (tenant_id = (select office.tenant_id()));

grant select on app.fees to svc_api;
grant select, insert, update, delete on app.fees to svc_office;

reset role;

-- migrate:down

drop table app.fees;
drop table app.coverage;
drop table app.appraisers;
drop table app.products;
