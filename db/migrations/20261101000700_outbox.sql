-- migrate:up

set local role svc_owner;

-- An event is a committed change. A delivery is one event on its way to one
-- endpoint. An attempt is one HTTP request of a delivery. The worker serves every
-- tenant and looks rows up by id; the tenant is part of each key all the same, so that
-- one tenant's event can't be stored as another's delivery.

-- ---------------------------------------------------------------- events
create table outbox.events (
  id uuid not null default uuidv7(),
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  batch_id uuid not null,
  type text not null,
  data jsonb not null,
  traceparent text,
  created_at timestamptz not null default now(),
  primary key (id, tenant_id),
  constraint events_traceparent_check
  check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'),
  constraint events_type_check
  check (type in ('quote.created', 'organization.upserted', 'lead.upserted', 'webhook.test')),
  constraint events_data_check check (octet_length(data::text) < 16384)
);
comment on table outbox.events is
'Events, in the transaction of the change they tell of. Ids and the action only.';
comment on column outbox.events.batch_id is 'The events of one transaction share it, and one job.';
comment on column outbox.events.traceparent is
'W3C Trace Context of the request that made the event; its deliveries go on with it.';

alter table outbox.events enable row level security;
alter table outbox.events force row level security;

create index events_batch_id_idx on outbox.events (batch_id);
create index events_tenant_id_idx on outbox.events (tenant_id, created_at);

create policy insert_outbox on outbox.events for insert to svc_outbox
with check (tenant_id = (select auth.tenant_id()));
create policy all_worker on outbox.events to svc_worker using (true) with check (true);

grant insert on outbox.events to svc_outbox;
grant select, delete on outbox.events to svc_worker;

-- ---------------------------------------------------------------- endpoints
create table outbox.endpoints (
  id uuid not null default uuidv7(),
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  url text not null,
  event_types text[] not null,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_expires_at timestamptz,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  created_at timestamptz not null default now(),
  primary key (id, tenant_id),
  constraint endpoints_url_check check (url ~ '^https?://' and char_length(url) <= 2048),
  constraint endpoints_disabled_reason_check check (
    disabled_reason in ('operator', 'gone', 'failing')
    and (disabled_at is null) = (disabled_reason is null)
  ),
  constraint endpoints_event_types_check check (
    cardinality(event_types) > 0
    and event_types <@ array['quote.created', 'organization.upserted', 'lead.upserted']
  )
);
comment on table outbox.endpoints is 'Where a tenant''s partners receive webhooks.';
comment on column outbox.endpoints.secret is 'Signing secret, sealed with the deployment''s key.';
comment on column outbox.endpoints.failing_since is
'Time of the first failure since the last success; null when the last attempt succeeded.';
comment on column outbox.endpoints.disabled_reason is
'operator: by hand; gone: it answered 410; failing: five days of nothing but failures.';

alter table outbox.endpoints enable row level security;
alter table outbox.endpoints force row level security;

create index endpoints_tenant_id_idx on outbox.endpoints (tenant_id);

create policy select_outbox on outbox.endpoints for select to svc_outbox
using (tenant_id = (select auth.tenant_id()));
create policy all_worker on outbox.endpoints to svc_worker using (true) with check (true);

grant select (id, tenant_id, event_types) on outbox.endpoints to svc_outbox;
grant select on outbox.endpoints to svc_worker;
grant update (failing_since, disabled_at, disabled_reason) on outbox.endpoints to svc_worker;
-- Deliberately no insert and no update of url or secret: only the operator says where
-- a tenant's events go.

-- failing_since comes and goes with every outage; that an endpoint was disabled matters.
select audit.watch('outbox.endpoints', p_except => '{failing_since}');

-- ---------------------------------------------------------------- deliveries
create table outbox.deliveries (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  status text not null default 'pending',
  attempts integer not null default 0,
  replays integer not null default 0,
  is_replay boolean not null default false,
  next_attempt_at timestamptz,
  claimed_by text,
  claimed_at timestamptz,
  response_status integer,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (id, tenant_id),
  constraint deliveries_event_id_endpoint_id_key unique (event_id, endpoint_id, tenant_id),
  constraint deliveries_event_id_fkey foreign key (event_id, tenant_id)
  references outbox.events (id, tenant_id) on delete cascade,
  constraint deliveries_endpoint_id_fkey foreign key (endpoint_id, tenant_id)
  references outbox.endpoints (id, tenant_id) on delete cascade,
  constraint deliveries_status_check
  check (status in ('pending', 'delivered', 'failed', 'skipped')),
  constraint deliveries_next_attempt_at_check check (
    (status = 'pending' and next_attempt_at is not null)
    or (status <> 'pending' and (next_attempt_at is null or is_replay))
  )
)
-- Every row is updated twice, in its page while there is room.
with (fillfactor = 75);
comment on table outbox.deliveries is 'One event for one endpoint, and how far it got.';
comment on column outbox.deliveries.tenant_id is
'The event''s and the endpoint''s, through which it goes when the tenant does.';
comment on column outbox.deliveries.attempts is 'Requests made so far, replays among them.';
comment on column outbox.deliveries.replays is 'Of the attempts, those outside the schedule.';
comment on column outbox.deliveries.is_replay is
'The operator asked for the next attempt: it is made once, whatever the status is.';
comment on column outbox.deliveries.claimed_by is
'The worker (outbox.workers) that is making an attempt now.';
comment on column outbox.deliveries.claimed_at is
'When it was last claimed, by the clock of all workers: the database''s.';

alter table outbox.deliveries enable row level security;
alter table outbox.deliveries force row level security;

create index deliveries_tenant_id_idx on outbox.deliveries (tenant_id, endpoint_id, created_at);
-- Claiming leaves this index alone, so that a claim is a heap-only update.
create index deliveries_next_attempt_at_idx on outbox.deliveries (endpoint_id, next_attempt_at)
where next_attempt_at is not null;

create policy all_worker on outbox.deliveries to svc_worker using (true) with check (true);

grant select, insert, update, delete on outbox.deliveries to svc_worker;

-- ---------------------------------------------------------------- attempts
create table outbox.attempts (
  tenant_id uuid not null,
  delivery_id uuid not null,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  response_status integer,
  response_body text,
  error_class text,
  error text,
  primary key (delivery_id, number, tenant_id),
  constraint attempts_delivery_id_fkey foreign key (delivery_id, tenant_id)
  references outbox.deliveries (id, tenant_id) on delete cascade,
  constraint attempts_error_class_check check (
    error_class in ('name', 'connection', 'tls', 'timeout', 'status', 'refused_address')
  )
);
comment on table outbox.attempts is 'Each request that was made for a delivery, and its outcome.';

alter table outbox.attempts enable row level security;
alter table outbox.attempts force row level security;

create policy all_worker on outbox.attempts to svc_worker using (true) with check (true);

grant select, insert, delete on outbox.attempts to svc_worker;

-- ---------------------------------------------------------------- workers
create table outbox.workers (
  id text primary key,
  seen_at timestamptz not null default now()
);
comment on table outbox.workers is
'Heartbeats. Whoever is silent for too long is dead: its jobs and claims are let go.';

alter table outbox.workers enable row level security;
alter table outbox.workers force row level security;

create policy all_worker on outbox.workers to svc_worker using (true) with check (true);

grant select, insert, update, delete on outbox.workers to svc_worker;

-- ---------------------------------------------------------------- claims
create type outbox.claim as (
  id uuid,
  endpoint_id uuid,
  attempts integer,
  is_replay boolean,
  event_id uuid,
  event_type text,
  event_time text,
  event_data text,
  url text,
  secret bytea,
  previous_secret bytea,
  tenant_id uuid,
  traceparent text
);
comment on type outbox.claim is
'A delivery that a worker may send. Attempts are those of the schedule, without replays.';

reset role;

-- migrate:down

drop type outbox.claim;
drop table outbox.workers;
drop table outbox.attempts;
drop table outbox.deliveries;
drop table outbox.endpoints;
drop table outbox.events;
