-- migrate:up

set local role svc_owner;

-- What became of one row of an upsert. Cores return it and never raise for a rule, so
-- that a single request can raise it and a batch can list it.
create type app.outcome as (
  action text,
  id uuid,
  error_code text,
  message text,
  detail json
);
comment on type app.outcome is
'created or updated with the id, or error with a public code, a message and faults.';

-- ---------------------------------------------------------------- organizations
-- Room on each page for new versions of a few of its rows, which then need no new entries in
-- the indexes, the search's above all; contacts and leads likewise.
create table app.organizations (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  id uuid not null default uuidv7(),
  external_reference text,
  external_source text,
  name text not null,
  name_key text collate "C" not null
  generated always as (app.fold_case(name)) stored,
  client_type text not null,
  company_name text
  generated always as (case when client_type <> 'private_party' then name end) virtual,
  phone text,
  email text,
  website text,
  address_line1 text,
  address_line2 text,
  city text,
  state text,
  postal_code text,
  account_number text,
  amc_license_number text,
  notes text,
  is_active boolean not null default true,
  paid_when_paid boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint organizations_name_key unique (tenant_id, name),
  constraint organizations_external_reference_key unique (tenant_id, external_reference),
  constraint organizations_client_type_check
  check (client_type in ('lender', 'amc', 'private_party', 'other')),
  constraint organizations_name_check check (char_length(name) between 1 and 200),
  constraint organizations_phone_check
  check (phone ~ '^\([2-9][0-9]{2}\) [2-9][0-9]{2}-[0-9]{4}$'),
  constraint organizations_state_check check (reference.is_state(state)),
  constraint organizations_notes_check check (char_length(notes) between 1 and 10000),
  constraint organizations_complete check (
    client_type = 'lender'
    or num_nulls(
      phone, email, website, address_line1, city, state, postal_code
    ) = 0
  )
) with (fillfactor = 75);
comment on table app.organizations is 'Directory: lenders, AMCs and other clients of a tenant.';
comment on column app.organizations.name_key is 'Name for search and order, without regard to case.';
comment on column app.organizations.company_name is
'The name where it is a company''s; a private party''s is a person''s, which analysts don''t see.';
comment on column app.organizations.paid_when_paid is
'Whether the company pays the appraiser only once it has been paid itself.';
comment on constraint organizations_complete on app.organizations is
'Only a lender may leave out phone, e-mail, website and address.';

alter table app.organizations enable row level security;
alter table app.organizations force row level security;

create index organizations_name_key_idx on app.organizations (tenant_id, name_key, id);
create index organizations_client_type_idx
on app.organizations (tenant_id, client_type, name_key, id);
create index organizations_account_number_idx
on app.organizations (tenant_id, account_number) where account_number is not null;
-- Letters and runs of two and three, signs included, where pg_trgm knows runs of three of
-- letters and digits alone: a search for one or two letters, or for signs, finds its rows,
-- too. No pending list, which every search would read and some upsert have to empty.
create index organizations_search_idx
on app.organizations using gin (tenant_id, app.name_grams(name_key)) with (fastupdate = off);

create policy all_api on app.organizations to svc_api
using (tenant_id = (select auth.tenant_id()))
with check (tenant_id = (select auth.tenant_id()));
create policy select_office on app.organizations for select to svc_office
using (tenant_id = (select office.tenant_id()));
-- Under a policy a pattern never becomes an index condition. svc_search logs in nowhere
-- and owns one function, which names the tenant itself and gives ids only.
create policy select_search on app.organizations for select to svc_search
using (true);

grant select, insert, update on app.organizations to svc_api;
grant select on app.organizations to svc_office;
grant select (tenant_id, id, name_key, client_type) on app.organizations to svc_search;
-- Deliberately no delete: orders and leads refer to organizations. Set is_active instead.

create trigger _500_redact
before insert on app.organizations
for each row when (new.notes is not null)
execute function app.tg_redact__notes();

-- Reading a long note takes longer than the rest of an update.
create trigger _500_redact_change
before update of notes on app.organizations
for each row when (new.notes is distinct from old.notes)
execute function app.tg_redact__notes();

create trigger _700_updated_at
before update on app.organizations
for each row execute function app.tg__updated_at();

-- ---------------------------------------------------------------- contacts
create table app.contacts (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  id uuid not null default uuidv7(),
  organization_id uuid not null,
  external_reference text,
  display_name text not null,
  email text not null,
  email_key text collate "C" not null
  generated always as (app.fold_case(email)) stored,
  phone text,
  contact_type text not null,
  other_label text,
  is_primary boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint contacts_organization_id_fkey foreign key (tenant_id, organization_id)
  references app.organizations (tenant_id, id) on delete cascade,
  -- Deferrable, so that contacts may swap their addresses in one statement.
  constraint contacts_email_key
  unique (tenant_id, organization_id, email_key) deferrable,
  constraint contacts_external_reference_key
  unique (tenant_id, organization_id, external_reference),
  constraint contacts_contact_type_check
  check (contact_type in ('order_assigner', 'account_manager', 'billing', 'other')),
  constraint contacts_other_has_label
  check (contact_type <> 'other' or other_label is not null),
  constraint contacts_phone_check
  check (phone ~ '^\([2-9][0-9]{2}\) [2-9][0-9]{2}-[0-9]{4}$')
) with (fillfactor = 75);
comment on table app.contacts is 'People of an organization, matched by reference, then by e-mail.';

alter table app.contacts enable row level security;
alter table app.contacts force row level security;

create unique index contacts_primary_key
on app.contacts (tenant_id, organization_id) where is_primary;

create policy all_api on app.contacts to svc_api
using (tenant_id = (select auth.tenant_id()))
with check (tenant_id = (select auth.tenant_id()));
create policy select_office on app.contacts for select to svc_office
using (tenant_id = (select office.tenant_id()));

grant select, insert, update on app.contacts to svc_api;
grant select on app.contacts to svc_office;

create trigger _700_updated_at
before update on app.contacts
for each row execute function app.tg__updated_at();

-- Cores hand these from one to the next, all rows of a request at once.
create type app.organization_change as (
  old app.organizations,
  new app.organizations,
  sent_contacts jsonb,
  contacts app.contacts[],
  outcome app.outcome
);
comment on type app.organization_change is
'An organization as it is (null: not yet) and will be, its contacts as sent and to write, and what becomes of it.';

-- ---------------------------------------------------------------- leads
create table app.leads (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  id uuid not null default uuidv7(),
  organization_id uuid not null,
  external_reference text,
  external_source text,
  title text not null,
  stage text not null default 'lead',
  amount_cents bigint,
  notes text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint leads_organization_id_fkey foreign key (tenant_id, organization_id)
  references app.organizations (tenant_id, id),
  constraint leads_external_reference_key unique (tenant_id, external_reference),
  constraint leads_stage_check
  check (stage in ('lead', 'qualified', 'proposal', 'won', 'lost')),
  constraint leads_title_check check (char_length(title) between 1 and 200),
  constraint leads_amount_cents_check check (amount_cents between 0 and 100000000000),
  constraint leads_notes_check check (char_length(notes) between 1 and 10000)
) with (fillfactor = 75);
comment on table app.leads is 'CRM leads, each about one organization.';
comment on column app.leads.amount_cents is
'Expected engagement fee in US cents. Never a property value.';

alter table app.leads enable row level security;
alter table app.leads force row level security;

create index leads_created_at_idx on app.leads (tenant_id, created_at, id);
create index leads_stage_idx on app.leads (tenant_id, stage, created_at, id);
create index leads_organization_id_idx
on app.leads (tenant_id, organization_id, created_at, id);

create policy all_api on app.leads to svc_api
using (tenant_id = (select auth.tenant_id()))
with check (tenant_id = (select auth.tenant_id()));

grant select, insert, update on app.leads to svc_api;

create trigger _500_redact
before insert on app.leads
for each row when (new.notes is not null)
execute function app.tg_redact__notes();

create trigger _500_redact_change
before update of notes on app.leads
for each row when (new.notes is distinct from old.notes)
execute function app.tg_redact__notes();

create trigger _700_updated_at
before update on app.leads
for each row execute function app.tg__updated_at();

-- ---------------------------------------------------------------- orders
create table app.orders (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  id uuid not null default uuidv7(),
  order_number text not null,
  status text not null,
  channel text not null,
  due_date date,
  fee numeric(12, 2),
  loan_number text,
  client_tracking_number text,
  property_address text not null,
  property_city text,
  property_state text,
  property_postal text,
  property_county text,
  engaging_client_id uuid not null,
  lender_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint orders_order_number_key unique (tenant_id, order_number),
  constraint orders_engaging_client_id_fkey foreign key (tenant_id, engaging_client_id)
  references app.organizations (tenant_id, id),
  constraint orders_lender_id_fkey foreign key (tenant_id, lender_id)
  references app.organizations (tenant_id, id),
  constraint orders_fee_check check (fee >= 0)
);
comment on table app.orders is
'Milestones of orders, imported by the office and read by partners. No value, no instructions.';

alter table app.orders enable row level security;
alter table app.orders force row level security;

create index orders_loan_number_idx
on app.orders (tenant_id, loan_number, updated_at, id) where loan_number is not null;
create index orders_client_tracking_number_idx
on app.orders (tenant_id, client_tracking_number, updated_at, id)
where client_tracking_number is not null;
create index orders_engaging_client_id_idx on app.orders (tenant_id, engaging_client_id);
create index orders_lender_id_idx on app.orders (tenant_id, lender_id);

create policy select_api on app.orders for select to svc_api
using (tenant_id = (select auth.tenant_id()));
create policy all_office on app.orders to svc_office
using (tenant_id = (select office.tenant_id()))
with check (tenant_id = (select office.tenant_id()));

grant select on app.orders to svc_api;
grant select, insert, update on app.orders to svc_office;

reset role;

-- migrate:down

drop table app.orders;
drop table app.leads;
drop type app.organization_change;
drop table app.contacts;
drop table app.organizations;
drop type app.outcome;
