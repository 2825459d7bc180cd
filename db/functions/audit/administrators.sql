-- Who may see past row-level security because somebody has to: the superuser that the
-- cluster was made with, the owner of this database, and roles that the owner names with
-- `alter database … set audit.administrators = 'name, name'`. Read from the catalogue and
-- not with current_setting, as any session may set anything for itself.
create or replace function audit.administrators()
returns table (role oid)
language sql
stable
set search_path = ''
as $$
  select pg_roles.oid
  from pg_roles
  where
    pg_roles.oid = 10
    or pg_roles.oid = (select datdba from pg_database where datname = current_database())
    or pg_roles.rolname in (
      select btrim(name)
      from pg_db_role_setting
      cross join unnest(setconfig) as setting
      cross join string_to_table(substr(setting, length('audit.administrators=') + 1), ',') as name
      where
        setdatabase = (select oid from pg_database where datname = current_database())
        and setrole = 0
        and setting like 'audit.administrators=%'
    );
$$;

revoke all on function audit.administrators() from public;
grant execute on function audit.administrators() to svc_auditor;
comment on function audit.administrators() is 'Roles that see past row-level security on purpose.';
