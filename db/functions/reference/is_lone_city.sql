-- Cities that are a county equivalent while no county of the state shares their name:
-- there the word "City" tells nothing apart. Virginia's independent cities, and those
-- governed as one with the county or borough that they are named for. Left out on
-- purpose, because a county has the same name: Fairfax, Franklin, Richmond and Roanoke
-- (VA), Baltimore (MD), St. Louis (MO). Names come as county_key works with them.
create or replace function reference.is_lone_city(p_state text, p_city text)
returns boolean
language sql
immutable
strict
parallel safe
set search_path = ''
as $$
  select case p_state
    when 'AK' then p_city in ('anchorage', 'juneau', 'sitka', 'wrangell', 'yakutat')
    when 'CA' then p_city = 'sanfrancisco'
    when 'CO' then p_city in ('broomfield', 'denver')
    when 'DC' then p_city = 'washington'
    when 'HI' then p_city = 'honolulu'
    when 'NV' then p_city = 'carson'
    when 'PA' then p_city = 'philadelphia'
    when 'VA' then p_city in (
      'alexandria', 'bristol', 'buenavista', 'charlottesville', 'chesapeake',
      'colonialheights', 'covington', 'danville', 'emporia', 'fallschurch',
      'fredericksburg', 'galax', 'hampton', 'harrisonburg', 'hopewell', 'lexington',
      'lynchburg', 'manassas', 'manassaspark', 'martinsville', 'newportnews',
      'norfolk', 'norton', 'petersburg', 'poquoson', 'portsmouth', 'radford',
      'salem', 'staunton', 'suffolk', 'virginiabeach', 'waynesboro',
      'williamsburg', 'winchester'
    )
    else false
  end;
$$;

revoke all on function reference.is_lone_city(text, text) from public;
grant execute on function reference.is_lone_city(text, text)
to svc_owner, svc_api, svc_office;

comment on function reference.is_lone_city(text, text) is
  'Whether this city is its own county and shares its name with no other county.';
