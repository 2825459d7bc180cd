-- Changes of keys, analysts' tokens, webhook endpoints, tenants and quotes' offers are recorded,
-- and the record is append-only: the triggers for both stand and can't be skipped.
select
  wanted.table_name as object,
  format('trigger %s is missing or can be skipped', wanted.trigger_name) as detail
from (
  select format('auth.%I', relname), '_950_history'
  from pg_class
  where relnamespace::regnamespace::text = 'auth' and relkind in ('r', 'p')

  union all

  values
  ('app.tenants', '_950_history'),
  ('app.quotes', '_950_history'),
  ('outbox.endpoints', '_950_history'),
  ('audit.changes', '_100_append_only'),
  ('audit.changes', '_100_append_only_truncate')
) as wanted (table_name, trigger_name)
where
  not exists (
    select
    from pg_trigger
    where
      audit.relation_name(tgrelid) = wanted.table_name
      and tgname = wanted.trigger_name
      and tgenabled = 'A'
      and tgqual is null
  )
