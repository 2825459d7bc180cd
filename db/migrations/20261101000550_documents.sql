-- migrate:up

set local role svc_owner;

-- ---------------------------------------------------------------- documents
create table app.documents (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  id uuid not null default uuidv7(),
  quote_id uuid not null,
  file_name text not null,
  content_type text not null,
  byte_size integer not null,
  document_type text not null default 'other',
  sha256 bytea not null,
  storage text not null,
  verdicts jsonb not null,
  api_key_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint documents_quote_id_fkey foreign key (tenant_id, quote_id)
  references app.quotes (tenant_id, id) on delete cascade,
  constraint documents_file_name_check check (octet_length(file_name) between 1 and 255),
  constraint documents_content_type_check
  check (content_type in ('application/pdf', 'image/png', 'image/jpeg', 'image/webp')),
  constraint documents_byte_size_check check (byte_size between 1 and 15728640),
  constraint documents_document_type_check check (document_type ~ '^[a-z][a-z0-9_]{0,63}$'),
  constraint documents_sha256_check check (octet_length(sha256) = 32),
  constraint documents_storage_check check (
    storage in ('postgres', tenant_id::text || '/' || id::text)
  ),
  constraint documents_has_verdict
  check (jsonb_typeof(verdicts) = 'array' and jsonb_array_length(verdicts) > 0)
);
comment on table app.documents is
'Files attached to quotes. Each was found clean by every scanner before it was stored.';
comment on column app.documents.storage is
'Where the bytes are: postgres (app.document_bytes), or the key of an object, which begins with the tenant.';
comment on column app.documents.verdicts is
'One entry for each scanner: engine, its version, and the version of its signatures.';
comment on column app.documents.api_key_id is
'The key that attached it; kept when the key itself is gone.';

alter table app.documents enable row level security;
alter table app.documents force row level security;

create index documents_quote_id_idx on app.documents (tenant_id, quote_id, id);

create policy insert_api on app.documents for insert to svc_api
with check (
  tenant_id = (select auth.tenant_id())
  and api_key_id = (select auth.key_id())
);
create policy select_office on app.documents for select to svc_office
using (tenant_id = (select office.tenant_id()));
-- app.orphaned_document_keys looks into one tenant after another.
create policy select_sweep on app.documents for select to svc_owner
using (tenant_id = (select nullif(current_setting('svc.sweep_tenant', true), '')::uuid));
create policy select_sweep on app.tenants for select to svc_owner
using (id = (select nullif(current_setting('svc.sweep_tenant', true), '')::uuid));

grant insert on app.documents to svc_api;
grant select on app.documents to svc_office;
grant usage on schema app to svc_worker;
-- Deliberately no select for svc_api: documents come in through the public API and never
-- leave by it. Nobody updates or deletes one. The worker gets no right to any table here,
-- only to ask app.orphaned_document_keys.

-- ---------------------------------------------------------------- bytes
create table app.document_bytes (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  document_id uuid not null,
  bytes bytea not null,
  primary key (tenant_id, document_id),
  constraint document_bytes_document_id_fkey foreign key (tenant_id, document_id)
  references app.documents (tenant_id, id) on delete cascade,
  constraint document_bytes_bytes_check check (octet_length(bytes) between 1 and 15728640)
);
comment on table app.document_bytes is
'Contents of documents, unless an object store holds them. Apart, so that lists never read them.';

-- PDFs and pictures are compressed already: trying again costs time and saves nothing.
alter table app.document_bytes alter column bytes set storage external;

alter table app.document_bytes enable row level security;
alter table app.document_bytes force row level security;

create policy insert_api on app.document_bytes for insert to svc_api
with check (tenant_id = (select auth.tenant_id()));
create policy select_office on app.document_bytes for select to svc_office
using (tenant_id = (select office.tenant_id()));

grant insert on app.document_bytes to svc_api;
grant select on app.document_bytes to svc_office;
-- Deliberately no select for svc_api: a flaw there can't give away what partners sent.

-- ---------------------------------------------------------------- refused uploads
create table app.rejected_uploads (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  id uuid not null default uuidv7(),
  quote_id uuid not null,
  file_name text not null,
  byte_size integer not null,
  sha256 bytea not null,
  rule text not null,
  engine text not null,
  engine_version text not null,
  signature_version text,
  api_key_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint rejected_uploads_quote_id_fkey foreign key (tenant_id, quote_id)
  references app.quotes (tenant_id, id) on delete cascade,
  constraint rejected_uploads_file_name_check check (octet_length(file_name) between 1 and 255),
  constraint rejected_uploads_sha256_check check (octet_length(sha256) = 32)
);
comment on table app.rejected_uploads is
'What a scanner refused: enough to find the sender and the file again, never its bytes.';
comment on column app.rejected_uploads.rule is 'The rule or signature that the file met.';

alter table app.rejected_uploads enable row level security;
alter table app.rejected_uploads force row level security;

create index rejected_uploads_quote_id_idx on app.rejected_uploads (tenant_id, quote_id, id);

create policy insert_api on app.rejected_uploads for insert to svc_api
with check (
  tenant_id = (select auth.tenant_id())
  and api_key_id = (select auth.key_id())
);
create policy select_office on app.rejected_uploads for select to svc_office
using (tenant_id = (select office.tenant_id()));

grant insert on app.rejected_uploads to svc_api;
grant select on app.rejected_uploads to svc_office;
-- Deliberately no update or delete for anyone: a record of what happened doesn't change.

reset role;

-- migrate:down

drop table app.rejected_uploads;
drop table app.document_bytes;
drop table app.documents;
drop policy select_sweep on app.tenants;
