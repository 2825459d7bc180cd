-- An event trigger runs its code as whoever migrates next, which is the administrator.
select
  evtname::text as object,
  format('runs %s as the administrator', audit.function_name(evtfoid)) as detail
from pg_event_trigger
