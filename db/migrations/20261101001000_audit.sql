-- migrate:up

set local role svc_owner;

-- ---------------------------------------------------------------- proof
-- A login, and the role that it acts as: itself or one that it can set.
create type audit.persona as (login text, role text);

-- One attack of audit.prove_isolation. Outcomes: refused; LEAK; by design, where
-- audit.entrusted says so; untested, where no row could be made to reach for.
create type audit.attempt as (
  role text,
  object text,
  command text,
  outcome text,
  detail text
);

-- ---------------------------------------------------------------- history
create table audit.changes (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  changed_at timestamptz not null default now(),
  login_role text not null default session_user,
  acting_role text not null default coalesce(
    nullif(current_setting('role', true), 'none'), session_user
  ),
  application_name text not null default current_setting('application_name', true),
  client_address inet default inet_client_addr(),
  transaction_id xid8 not null default pg_current_xact_id(),
  table_name text not null,
  row_id text,
  operation text not null,
  changed_columns text[],
  old_row jsonb,
  new_row jsonb,
  primary key (tenant_id, id),
  constraint changes_operation_check
  check (operation in ('insert', 'update', 'delete', 'truncate'))
);
comment on table audit.changes is
'Who changed keys, analysts, webhook endpoints, tenants and quotes'' offers, from what to what. Append-only.';
comment on column audit.changes.tenant_id is
'Whose row changed; zeros for the whole deployment. No foreign key: history outlives its tenant.';
comment on column audit.changes.login_role is 'The role that logged in.';
comment on column audit.changes.acting_role is 'The role that it had set, if any.';
comment on column audit.changes.row_id is 'Primary key of the row without its tenant.';
comment on column audit.changes.changed_columns is
'Columns that an update changed, secrets included; their values are in no row.';

alter table audit.changes enable row level security;
alter table audit.changes force row level security;

create index changes_table_name_idx on audit.changes (tenant_id, table_name, row_id, changed_at);
create index changes_changed_at_idx on audit.changes (changed_at);

create policy insert_audit on audit.changes for insert to svc_audit with check (true);
create policy select_auditor on audit.changes for select to svc_auditor using (true);
create policy select_office on audit.changes for select to svc_office
using (tenant_id = (select office.tenant_id()));

grant insert on audit.changes to svc_audit;
grant select on audit.changes to svc_auditor, svc_office;
-- Deliberately no update, delete or truncate for anybody, and triggers that refuse them
-- to the owner, too. Who may drop triggers can still rewrite history: see the docs.

create trigger _100_append_only
before update or delete on audit.changes
for each row execute function audit.tg_changes__append_only();

create trigger _100_append_only_truncate
before truncate on audit.changes
for each statement execute function audit.tg_changes__append_only();

alter table audit.changes enable always trigger _100_append_only;
alter table audit.changes enable always trigger _100_append_only_truncate;

reset role;

-- migrate:down

drop table audit.changes;
drop type audit.attempt;
drop type audit.persona;
