-- No role and no database starts its sessions with a tenant, a digest or weaker rules in force.
select
  concat_ws(
    ' in ',
    case when setrole = 0 then 'every role' else setrole::regrole::text end,
    case when setdatabase = 0 then 'every database' else current_database() end
  ) as object,
  format('sessions start with %s', split_part(setting, '=', 1)) as detail
from pg_db_role_setting
cross join unnest(setconfig) as setting
where
  setdatabase in (0, (select oid from pg_database where datname = current_database()))
  and split_part(setting, '=', 1) ~ '^(svc\..*|role|row_security|session_replication_role|search_path|session_preload_libraries|local_preload_libraries)$'
