-- migrate:up

set local role svc_owner;

-- ---------------------------------------------------------------- quotes
create table app.quotes (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  id uuid not null default uuidv7(),
  status text not null default 'open',
  external_reference text,
  product_code text not null,
  fee numeric(12, 2),
  turnaround_days integer,
  source text not null default 'api',
  schema_version integer not null default 1,
  subject_line1 text not null,
  subject_line2 text,
  subject_city text,
  subject_state text not null,
  subject_county text not null,
  subject_county_key text,
  subject_postal_code text,
  client_name text not null,
  client_email text not null,
  client_phone text,
  borrower_name text,
  borrower_email text,
  borrower_phone text,
  notes text,
  metadata jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  status_changed_at timestamptz not null default now(),
  sent_at timestamptz,
  closed_at timestamptz,
  hours_open double precision,
  hours_sent double precision,
  primary key (tenant_id, id),
  constraint quotes_product_code_fkey foreign key (tenant_id, product_code)
  references app.products (tenant_id, code),
  constraint quotes_status_check
  check (status in ('open', 'sent', 'accepted', 'declined', 'expired')),
  constraint quotes_source_check check (source in ('api', 'website', 'automation')),
  constraint quotes_schema_version_check check (schema_version = 1),
  constraint quotes_external_reference_check
  check (char_length(external_reference) between 1 and 120),
  constraint quotes_fee_check check (fee >= 0),
  constraint quotes_turnaround_days_check check (turnaround_days between 0 and 3650),
  constraint quotes_sent_has_fee
  check (status not in ('sent', 'accepted', 'declined') or fee is not null),
  constraint quotes_subject_state_check check (reference.is_state(subject_state)),
  constraint quotes_notes_check check (char_length(notes) between 1 and 10000)
);
comment on table app.quotes is
'Quote requests in the office''s queue. The API creates them open; only the office moves them on.';
comment on column app.quotes.fee is 'Engagement fee in USD, set by the office. Never a property value.';
comment on column app.quotes.turnaround_days is 'Days from engagement to delivery, set by the office.';
comment on column app.quotes.subject_county_key is
'What all spellings of the county have in common, for counting by county, set by trigger.';
comment on column app.quotes.sent_at is 'When the office sent the quote, set by trigger.';
comment on column app.quotes.closed_at is
'When the quote was accepted, declined or expired, set by trigger.';
comment on column app.quotes.hours_open is
'Hours until it was sent or expired, set by trigger; null while it is open.';
comment on column app.quotes.hours_sent is
'Hours from sending to the answer or expiry, set by trigger; null before that.';
comment on column app.quotes.notes is 'Free text from which value language has been removed.';

alter table app.quotes enable row level security;
alter table app.quotes force row level security;

create index quotes_external_reference_idx
on app.quotes (tenant_id, external_reference, created_at, id)
where external_reference is not null;
create index quotes_status_idx on app.quotes (tenant_id, status, created_at, id);
create index quotes_product_code_idx on app.quotes (tenant_id, product_code);
-- Whole: what analysts count and average, without the wide rows, which mix all tenants.
create index quotes_analytics_idx on app.quotes (tenant_id, created_at)
include (
  status, source, product_code, subject_state, subject_county, subject_county_key,
  fee, turnaround_days, hours_open, hours_sent
);

create policy select_api on app.quotes for select to svc_api
using (tenant_id = (select auth.tenant_id()));
create policy insert_api on app.quotes for insert to svc_api
with check (tenant_id = (select auth.tenant_id()));
create policy all_office on app.quotes to svc_office
using (tenant_id = (select office.tenant_id()))
with check (tenant_id = (select office.tenant_id()));

grant select, insert on app.quotes to svc_api;
grant select on app.quotes to svc_office;
grant update (status, fee, turnaround_days) on app.quotes to svc_office;
-- Deliberately no update for svc_api: a quote is the office's once it is in the queue.

create trigger _300_transition
before insert or update of status on app.quotes
for each row execute function app.tg_quotes__transition();

-- After _300_transition, which sets the times; on each update, also of a derived column.
create trigger _400_derived
before insert or update on app.quotes
for each row execute function app.tg_quotes__derived();

create trigger _500_redact
before insert or update of notes on app.quotes
for each row execute function app.tg_redact__notes();

create trigger _700_updated_at
before update on app.quotes
for each row execute function app.tg__updated_at();

create trigger _900_status_change
after insert or update of status on app.quotes
for each row execute function app.tg_quotes__status_change();

-- What the office sets, and nothing of the client or the borrower.
select audit.watch('app.quotes', p_only => '{status,fee,turnaround_days}');

-- ---------------------------------------------------------------- status history
create table app.quote_status_changes (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  quote_id uuid not null,
  from_status text,
  to_status text not null,
  changed_by text not null default session_user,
  changed_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint quote_status_changes_quote_id_fkey foreign key (tenant_id, quote_id)
  references app.quotes (tenant_id, id) on delete cascade
);
comment on table app.quote_status_changes is
'One row per status a quote was in, written by trigger, never changed.';
comment on column app.quote_status_changes.tenant_id is
'The quote''s, with which it goes when the tenant does.';

alter table app.quote_status_changes enable row level security;
alter table app.quote_status_changes force row level security;

create index quote_status_changes_quote_id_idx
on app.quote_status_changes (tenant_id, quote_id, id);

create policy insert_api on app.quote_status_changes for insert to svc_api
with check (tenant_id = (select auth.tenant_id()));
create policy select_office on app.quote_status_changes for select to svc_office
using (tenant_id = (select office.tenant_id()));
create policy insert_office on app.quote_status_changes for insert to svc_office
with check (tenant_id = (select office.tenant_id()));

grant insert on app.quote_status_changes to svc_api;
grant select, insert on app.quote_status_changes to svc_office;

reset role;

-- migrate:down

drop table app.quote_status_changes;
drop table app.quotes;
