-- The 50 states, the District of Columbia and the five territories with counties of
-- their own. Not the military "states" (AA, AE, AP), where no property stands, nor
-- Palau, Micronesia and the Marshall Islands (PW, FM, MH), which are sovereign, nor
-- the outlying islands (UM), where nobody lives and no mail goes.
-- A function and not a table, so that check constraints can use it.
create or replace function reference.is_state(p_code text)
returns boolean
language sql
immutable
strict
parallel safe
set search_path = ''
as $$
  select p_code in (
    'AL', 'AK', 'AZ', 'AR', 'CA', 'CO', 'CT', 'DE', 'FL', 'GA',
    'HI', 'ID', 'IL', 'IN', 'IA', 'KS', 'KY', 'LA', 'ME', 'MD',
    'MA', 'MI', 'MN', 'MS', 'MO', 'MT', 'NE', 'NV', 'NH', 'NJ',
    'NM', 'NY', 'NC', 'ND', 'OH', 'OK', 'OR', 'PA', 'RI', 'SC',
    'SD', 'TN', 'TX', 'UT', 'VT', 'VA', 'WA', 'WV', 'WI', 'WY',
    'DC', 'PR', 'VI', 'GU', 'AS', 'MP'
  );
$$;

revoke all on function reference.is_state(text) from public;
grant execute on function reference.is_state(text) to svc_owner, svc_api, svc_office;

comment on function reference.is_state(text) is
  'Whether this is the upper-case postal code of a state, DC or a territory.';
