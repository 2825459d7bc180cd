-- Ids of a page of organizations by name, without regard to case. Security definer: under
-- a policy a pattern never becomes an index condition, so this owner sees past the
-- policy, names the tenant itself, and gives nothing but ids, whose rows the caller reads
-- under the policy as always.
-- A frequent text is met soon on a walk along the names; a rare one is looked up by its
-- runs of letters. The first steps show which it is: a second, longer walk is taken
-- only when they promise that it meets enough.
create or replace function app.search_organizations(
  p_q text,
  p_client_type text,
  p_limit integer,
  p_offset integer
)
returns uuid[]
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  c_short_walk constant integer := 20000;
  c_long_walk constant integer := 200000;
  v_q text := app.fold_case(p_q);
  v_wanted integer := p_offset + p_limit;
  v_ids uuid[] := app.walk_names(v_q, p_client_type, v_wanted, c_short_walk);
  v_promised integer := cardinality(v_ids) * (c_long_walk / c_short_walk);
begin
  if v_q is not null and cardinality(v_ids) < v_wanted and v_promised >= v_wanted then
    v_ids := app.walk_names(v_q, p_client_type, v_wanted, c_long_walk);
  end if;
  if v_q is not null and cardinality(v_ids) < v_wanted then
    v_ids := app.look_up_names(v_q, p_client_type, v_wanted);
  end if;
  return v_ids[p_offset + 1 : v_wanted];
end;
$$;

alter function app.search_organizations(text, text, integer, integer) owner to svc_search;
revoke all on function app.search_organizations(text, text, integer, integer) from public;
grant execute on function app.search_organizations(text, text, integer, integer) to svc_api;
comment on function app.search_organizations(text, text, integer, integer) is
'Ids of the tenant''s organizations whose name contains a text, a page of them, by name.';
