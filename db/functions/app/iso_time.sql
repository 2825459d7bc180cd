-- Times leave the API in one form: UTC, ISO 8601, milliseconds, Z.
create or replace function app.iso_time(p_time timestamptz)
returns text
language sql
immutable
parallel safe
set search_path = ''
as $$
  select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
$$;

revoke all on function app.iso_time(timestamptz) from public;
grant execute on function app.iso_time(timestamptz) to svc_api, svc_office, svc_worker;
comment on function app.iso_time(timestamptz) is 'A time as an ISO 8601 string in UTC.';
