-- Ids of a page of organizations by name, without regard to case. Security definer: under
-- a policy a pattern never becomes an index condition, so this owner sees past the
-- policy, names the tenant itself, and gives nothing but ids, whose rows the caller reads
-- under the policy as always.
-- A frequent text is met soon on a walk along the names; a rare one is looked up by its
-- runs of letters. The rarer a text, the longer the walk and the cheaper the look-up;
-- among a million names the two cost the same at about 4,000 * sqrt(wanted) steps, some
-- ms for a first page. So a short walk shows how frequent the text is, and a longer one
-- follows when it promises to meet enough in so many steps.
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
  c_steps constant integer := 4000;
  v_q text := app.fold_case(p_q);
  v_wanted integer := p_offset + p_limit;
  v_longer double precision := sqrt(v_wanted);
  v_ids uuid[];
begin
  if v_q is null then
    v_ids := app.walk_names(null, p_client_type, v_wanted, v_wanted);
    return v_ids[p_offset + 1 : v_wanted];
  end if;

  v_ids := app.walk_names(v_q, p_client_type, v_wanted, c_steps);
  if cardinality(v_ids) < v_wanted and cardinality(v_ids) * v_longer >= v_wanted then
    v_ids := app.walk_names(v_q, p_client_type, v_wanted, (c_steps * v_longer)::integer);
  end if;
  if cardinality(v_ids) < v_wanted then
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
