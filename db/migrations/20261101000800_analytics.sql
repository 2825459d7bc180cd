-- migrate:up

set local role svc_owner;

-- What analysts see. Views run with the analyst's own rights (security_invoker), so that
-- row-level security of the tables below decides about rows and grants on their columns
-- about fields. svc_analyst has no usage on the schemas of those tables: it reads them
-- through these views or not at all.
-- Personal data stays out, here and in the grants: names, e-mails and phones of
-- borrowers, clients and contacts, notes, street lines, loan numbers. So do titles of
-- leads and metadata of quotes, free text in which they may stand, and every secret.
-- Comments become the documentation of the GraphQL schema.

-- ---------------------------------------------------------------- API usage
create table app.api_usage (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  api_key_id uuid not null,
  key_name text not null,
  day date not null,
  operation text not null,
  requests integer not null,
  errors integer not null,
  primary key (tenant_id, api_key_id, day, operation),
  constraint api_usage_errors_check check (errors between 0 and requests)
);
comment on table app.api_usage is
'Requests of each API key by day (UTC) and operation. Added up in the API''s processes.';
comment on column app.api_usage.key_name is 'Name of the key: usage outlives its key.';
comment on column app.api_usage.errors is 'Of the requests, those answered with 4xx or 5xx.';

alter table app.api_usage enable row level security;
alter table app.api_usage force row level security;

create index api_usage_day_idx on app.api_usage (tenant_id, day);

create policy all_auth on app.api_usage to svc_auth
using (tenant_id = (select auth.used_tenant_id()))
with check (tenant_id = (select auth.used_tenant_id()));

grant select, insert, update on app.api_usage to svc_auth;
-- Deliberately nothing for svc_api: it adds counts through auth.record_usage alone.

-- ---------------------------------------------------------------- whose rows
-- A token for all tenants sees those that exist, which the functions of svc_auth look up.
create policy select_auth_for_analyst on app.tenants for select to svc_auth
using ((select auth.analyst_sees_all_tenants()));

create policy select_analyst on app.tenants for select to svc_analyst
using (id = any((select auth.analyst_tenant_ids())::uuid[]));
create policy select_analyst on app.products for select to svc_analyst
using (tenant_id = any((select auth.analyst_tenant_ids())::uuid[]));
create policy select_analyst on app.appraisers for select to svc_analyst
using (tenant_id = any((select auth.analyst_tenant_ids())::uuid[]));
create policy select_analyst on app.coverage for select to svc_analyst
using (tenant_id = any((select auth.analyst_tenant_ids())::uuid[]));
create policy select_analyst on app.fees for select to svc_analyst
using (tenant_id = any((select auth.analyst_tenant_ids())::uuid[]));
create policy select_analyst on app.quotes for select to svc_analyst
using (tenant_id = any((select auth.analyst_tenant_ids())::uuid[]));
create policy select_analyst on app.quote_status_changes for select to svc_analyst
using (tenant_id = any((select auth.analyst_tenant_ids())::uuid[]));
create policy select_analyst on app.organizations for select to svc_analyst
using (tenant_id = any((select auth.analyst_tenant_ids())::uuid[]));
create policy select_analyst on app.leads for select to svc_analyst
using (tenant_id = any((select auth.analyst_tenant_ids())::uuid[]));
create policy select_analyst on app.orders for select to svc_analyst
using (tenant_id = any((select auth.analyst_tenant_ids())::uuid[]));
create policy select_analyst on app.api_usage for select to svc_analyst
using (tenant_id = any((select auth.analyst_tenant_ids())::uuid[]));
create policy select_analyst on outbox.endpoints for select to svc_analyst
using (tenant_id = any((select auth.analyst_tenant_ids())::uuid[]));
create policy select_analyst on outbox.deliveries for select to svc_analyst
using (tenant_id = any((select auth.analyst_tenant_ids())::uuid[]));

-- ---------------------------------------------------------------- which fields
grant select (id, slug, name, created_at) on app.tenants to svc_analyst;
grant select (tenant_id, code, name, is_active, created_at, updated_at)
on app.products to svc_analyst;
grant select (tenant_id, id, external_reference, is_active, is_default, created_at, updated_at)
on app.appraisers to svc_analyst;
grant select (tenant_id, id, appraiser_id, product_code, state, county, county_key, created_at)
on app.coverage to svc_analyst;
grant select (
  tenant_id, id, appraiser_id, product_code, state, county, county_key, fee, turnaround_days,
  created_at, updated_at
) on app.fees to svc_analyst;
grant select (
  tenant_id, id, status, external_reference, product_code, fee, turnaround_days, source,
  subject_city, subject_state, subject_county, subject_county_key, subject_postal_code,
  created_at, sent_at, closed_at, hours_open, hours_sent, updated_at
) on app.quotes to svc_analyst;
grant select (tenant_id, id, quote_id, from_status, to_status, changed_at)
on app.quote_status_changes to svc_analyst;
grant select (
  tenant_id, id, external_reference, external_source, company_name, client_type, city, state,
  postal_code, is_active, paid_when_paid, created_at, updated_at
) on app.organizations to svc_analyst;
grant select (
  tenant_id, id, organization_id, external_reference, external_source, stage, amount_cents,
  created_at, updated_at
) on app.leads to svc_analyst;
grant select (
  tenant_id, id, order_number, status, channel, due_date, fee, property_city, property_state,
  property_postal, property_county, engaging_client_id, lender_id, created_at, updated_at
) on app.orders to svc_analyst;
grant select on app.api_usage to svc_analyst;
grant select (
  id, tenant_id, event_types, failing_since, disabled_at, disabled_reason, created_at
) on outbox.endpoints to svc_analyst;
grant select (tenant_id, endpoint_id, status, attempts, created_at)
on outbox.deliveries to svc_analyst;
-- Deliberately nothing on app.contacts, auth.*, events, attempts and documents. An
-- endpoint's URL may carry a token of the partner's, so it stays out, too.

-- ---------------------------------------------------------------- values
create view analytics.quote_statuses (value, description) with (security_invoker) as
values
  ('open', 'In the office''s queue.'),
  ('sent', 'Sent to the client with fee and turnaround.'),
  ('accepted', 'The client accepted.'),
  ('declined', 'The client declined.'),
  ('expired', 'Past its validity.');
comment on view analytics.quote_statuses is 'Where a quote stands.';

create view analytics.quote_sources (value, description) with (security_invoker) as
values
  ('api', 'A partner''s system.'),
  ('website', 'A form on a website.'),
  ('automation', 'A workflow tool.');
comment on view analytics.quote_sources is 'Where a quote request came from.';

create view analytics.client_types (value, description) with (security_invoker) as
values
  ('lender', 'A lender.'),
  ('amc', 'An appraisal management company.'),
  ('private_party', 'A private person.'),
  ('other', 'Any other client.');
comment on view analytics.client_types is 'What kind of client an organization is.';

create view analytics.lead_stages (value, description) with (security_invoker) as
values
  ('lead', 'New.'),
  ('qualified', 'Worth pursuing.'),
  ('proposal', 'An offer was made.'),
  ('won', 'Became business.'),
  ('lost', 'Didn''t.');
comment on view analytics.lead_stages is 'How far a lead has come.';

-- ---------------------------------------------------------------- views
create view analytics.tenants with (security_invoker) as
select
  tenants.id,
  tenants.slug,
  tenants.name,
  tenants.created_at
from app.tenants;
comment on view analytics.tenants is 'Appraisal companies that this token sees.';
comment on column analytics.tenants.slug is 'Short name, as commands take it.';

create view analytics.products with (security_invoker) as
select
  products.tenant_id,
  products.code,
  products.name,
  products.is_active,
  products.created_at,
  products.updated_at
from app.products;
comment on view analytics.products is 'Kinds of appraisal that a company offers.';
comment on column analytics.products.is_active is 'Whether new quotes may ask for it.';

create view analytics.appraisers with (security_invoker) as
select
  appraisers.tenant_id,
  appraisers.id,
  appraisers.external_reference,
  appraisers.is_active,
  appraisers.is_default,
  appraisers.created_at,
  appraisers.updated_at
from app.appraisers;
comment on view analytics.appraisers is
'Who does the work, by reference; names of people aren''t shown.';
comment on column analytics.appraisers.is_default is
'The default fee appraiser: while active, the only one that coverage and fees count.';

create view analytics.coverage_areas with (security_invoker) as
select
  coverage.tenant_id,
  coverage.id,
  coverage.appraiser_id,
  coverage.product_code,
  coverage.state,
  coverage.county,
  coverage.county_key,
  coverage.created_at
from app.coverage;
comment on view analytics.coverage_areas is 'Areas that an appraiser covers.';
comment on column analytics.coverage_areas.product_code is 'Null: every product.';
comment on column analytics.coverage_areas.state is 'Two-letter postal code.';
comment on column analytics.coverage_areas.county is 'Null: the whole state.';
comment on column analytics.coverage_areas.county_key is 'The same for every spelling of a county.';

create view analytics.fees with (security_invoker) as
select
  fees.tenant_id,
  fees.id,
  fees.appraiser_id,
  fees.product_code,
  fees.state,
  fees.county,
  fees.county_key,
  fees.fee,
  fees.turnaround_days,
  fees.created_at,
  fees.updated_at
from app.fees;
comment on view analytics.fees is 'The fee schedule: what an appraiser asks for a product, and where.';
comment on column analytics.fees.product_code is 'Null: every product.';
comment on column analytics.fees.state is 'Two-letter postal code; null: everywhere.';
comment on column analytics.fees.county is 'Null: the whole state.';
comment on column analytics.fees.county_key is 'The same for every spelling of a county.';
comment on column analytics.fees.fee is 'Engagement fee in US dollars.';
comment on column analytics.fees.turnaround_days is 'Days from engagement to delivery.';

create view analytics.quotes with (security_invoker) as
select
  quotes.tenant_id,
  quotes.id,
  quotes.status,
  quotes.source,
  quotes.external_reference,
  quotes.product_code,
  quotes.subject_state as state,
  quotes.subject_county as county,
  quotes.subject_county_key as county_key,
  quotes.subject_city as city,
  quotes.subject_postal_code as postal_code,
  quotes.fee,
  quotes.turnaround_days,
  quotes.created_at,
  quotes.sent_at,
  quotes.closed_at,
  quotes.hours_open,
  quotes.hours_sent,
  quotes.updated_at
from app.quotes;
comment on view analytics.quotes is 'Quote requests and what became of them.';
comment on column analytics.quotes.external_reference is 'The caller''s own reference.';
comment on column analytics.quotes.state is 'State of the property, two-letter postal code.';
comment on column analytics.quotes.county is 'County of the property, as it was written.';
comment on column analytics.quotes.county_key is
'The same for every spelling of a county within its state: group by state and this.';
comment on column analytics.quotes.city is 'City of the property.';
comment on column analytics.quotes.postal_code is 'Postal code of the property.';
comment on column analytics.quotes.fee is
'Engagement fee in US dollars, null until the office sets it. Never a property value.';
comment on column analytics.quotes.turnaround_days is
'Days from engagement to delivery, null until the office sets them.';
comment on column analytics.quotes.created_at is 'When the request came in.';
comment on column analytics.quotes.sent_at is 'When the office sent the quote.';
comment on column analytics.quotes.closed_at is 'When it was accepted, declined or expired.';
comment on column analytics.quotes.hours_open is
'Hours from the request until it was sent or expired; null while it is open.';
comment on column analytics.quotes.hours_sent is
'Hours from sending until the answer or expiry; null before that.';

create view analytics.quote_status_changes with (security_invoker) as
select
  quote_status_changes.tenant_id,
  quote_status_changes.id,
  quote_status_changes.quote_id,
  quote_status_changes.from_status,
  quote_status_changes.to_status,
  quote_status_changes.changed_at
from app.quote_status_changes;
comment on view analytics.quote_status_changes is 'Each step of each quote, oldest first by id.';
comment on column analytics.quote_status_changes.from_status is 'Null: the request came in.';

create view analytics.organizations with (security_invoker) as
select
  organizations.tenant_id,
  organizations.id,
  organizations.external_reference,
  organizations.external_source,
  organizations.company_name as name,
  organizations.client_type,
  organizations.city,
  organizations.state,
  organizations.postal_code,
  organizations.is_active,
  organizations.paid_when_paid,
  organizations.created_at,
  organizations.updated_at
from app.organizations;
comment on view analytics.organizations is 'Directory of lenders, AMCs and other clients.';
comment on column analytics.organizations.name is
'Name of the company; null for a private party, which is a person.';
comment on column analytics.organizations.paid_when_paid is
'Whether the company pays the appraiser only once it has been paid itself.';

create view analytics.leads with (security_invoker) as
select
  leads.tenant_id,
  leads.id,
  leads.organization_id,
  leads.external_reference,
  leads.external_source,
  leads.stage,
  leads.amount_cents,
  leads.created_at,
  leads.updated_at
from app.leads;
comment on view analytics.leads is 'CRM leads, each about one organization.';
comment on column analytics.leads.amount_cents is
'Expected engagement fee in US cents. Never a property value.';

create view analytics.orders with (security_invoker) as
select
  orders.tenant_id,
  orders.id,
  orders.order_number,
  orders.status,
  orders.channel,
  orders.due_date,
  orders.fee,
  orders.property_state as state,
  orders.property_county as county,
  orders.property_city as city,
  orders.property_postal as postal_code,
  orders.engaging_client_id,
  orders.lender_id,
  orders.created_at,
  orders.updated_at
from app.orders;
comment on view analytics.orders is 'Milestones of orders.';
comment on column analytics.orders.status is 'As the office calls it, for example delivered.';
comment on column analytics.orders.fee is 'Engagement fee in US dollars.';
comment on column analytics.orders.engaging_client_id is 'The organization that engaged us.';
comment on column analytics.orders.lender_id is 'The organization that lends.';

create view analytics.api_usage_days with (security_invoker) as
select
  api_usage.tenant_id,
  api_usage.api_key_id,
  api_usage.key_name,
  api_usage.day,
  api_usage.operation,
  api_usage.requests,
  api_usage.errors
from app.api_usage;
comment on view analytics.api_usage_days is
'Requests to the public API by key, day and operation, some seconds behind.';
comment on column analytics.api_usage_days.key_name is 'What the operator named the key.';
comment on column analytics.api_usage_days.day is 'Day in UTC.';
comment on column analytics.api_usage_days.operation is 'The operationId of the API''s description.';
comment on column analytics.api_usage_days.errors is 'Of the requests, those answered with 4xx or 5xx.';

create view analytics.webhook_endpoints with (security_invoker) as
select
  endpoints.tenant_id,
  endpoints.id,
  endpoints.event_types,
  endpoints.failing_since,
  endpoints.disabled_at,
  endpoints.disabled_reason,
  endpoints.created_at
from outbox.endpoints;
comment on view analytics.webhook_endpoints is 'Where partners receive webhooks. Addresses aren''t shown.';
comment on column analytics.webhook_endpoints.failing_since is
'Since when every delivery has failed; null while it works.';
comment on column analytics.webhook_endpoints.disabled_at is 'Since when nothing is sent.';

create view analytics.webhook_health_days with (security_invoker) as
select
  deliveries.tenant_id,
  deliveries.endpoint_id,
  (deliveries.created_at at time zone 'UTC')::date as day,
  count(*)::integer as deliveries,
  (count(*) filter (where deliveries.status = 'delivered'))::integer as delivered,
  (count(*) filter (where deliveries.status = 'failed'))::integer as failed,
  (count(*) filter (where deliveries.status = 'skipped'))::integer as skipped,
  (count(*) filter (where deliveries.status = 'pending'))::integer as pending,
  sum(deliveries.attempts)::integer as attempts
from outbox.deliveries
group by deliveries.tenant_id, deliveries.endpoint_id, day;
comment on view analytics.webhook_health_days is 'Webhook deliveries by endpoint and day.';
comment on column analytics.webhook_health_days.day is 'Day of the event in UTC.';
comment on column analytics.webhook_health_days.deliveries is 'Events that were to be delivered.';
comment on column analytics.webhook_health_days.failed is 'Given up after the last attempt.';
comment on column analytics.webhook_health_days.skipped is 'Not sent, because the endpoint was disabled.';
comment on column analytics.webhook_health_days.pending is 'Still being tried.';
comment on column analytics.webhook_health_days.attempts is 'HTTP requests that were made for them.';

grant select on all tables in schema analytics to svc_analyst;
-- Deliberately no other right, and no function: analysts read, and in read-only transactions.

reset role;

-- migrate:down

drop schema analytics cascade;
create schema analytics authorization svc_owner;
grant usage on schema analytics to svc_analyst;
comment on schema analytics is 'What analysts see: views without personal data and without secrets.';

do $$
declare
  v_policy record;
begin
  for v_policy in
    select policyname, schemaname, tablename
    from pg_policies
    where policyname in ('select_analyst', 'select_auth_for_analyst')
  loop
    execute format(
      'drop policy %I on %I.%I',
      v_policy.policyname,
      v_policy.schemaname,
      v_policy.tablename
    );
  end loop;
end;
$$;
revoke all on all tables in schema app, outbox from svc_analyst;
drop table app.api_usage;
