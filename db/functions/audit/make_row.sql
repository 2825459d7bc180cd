-- Inserts a row of a tenant into any table, of which nothing is known but the catalogue: the
-- columns that it can't do without, from samples of their types, until the checks agree.
-- Gives the row, its place included. Raises the table's own error after too many tries.
create or replace function audit.make_row(p_relation oid, p_tenant uuid, p_depth integer default 0)
returns jsonb
language plpgsql
volatile
set search_path = ''
as $$
declare
  c_tries constant integer := 400;
  v_salt constant text := 'a' || left(md5(gen_random_uuid()::text), 11);
  v_fixed jsonb;
  v_row jsonb;
  v_choices jsonb := '{}';
  v_choice jsonb;
  v_made jsonb;
  v_state text;
  v_constraint text;
begin
  if p_depth > 8 then
    raise exception using errcode = 'XX000', message = 'Foreign keys go round in a circle.';
  end if;
  v_fixed := audit.fixed_values(p_relation, p_tenant)
    || audit.parent_keys(p_relation, p_tenant, p_depth);
  v_row := audit.first_choice(p_relation, v_fixed, v_salt) || v_fixed;

  for v_try in 0..c_tries loop
    begin
      execute audit.insert_statement(p_relation, v_row, current_user)
        || ' returning to_jsonb(made) || jsonb_build_object(''ctid'', made.ctid)'
      into v_made;
      return v_made;
    exception
      when check_violation or unique_violation then
        get stacked diagnostics v_state = returned_sqlstate, v_constraint = constraint_name;
        if v_try = c_tries or coalesce(v_constraint, '') = '' then
          raise;
        end if;
    end;
    -- What is taken needs a new salt; what doesn't fit, another of the same samples.
    if v_state = '23505' or not v_choices ? v_constraint then
      v_choices := v_choices || jsonb_build_object(
        v_constraint,
        audit.choices(p_relation, v_constraint, v_fixed, v_salt || v_try)
      );
    end if;
    v_choice := audit.next_choice(v_choices -> v_constraint, v_try);
    if v_choice = '{}' then
      v_choice := audit.parent_keys(p_relation, p_tenant, p_depth, p_is_fresh => true);
    end if;
    v_row := v_row || v_choice;
  end loop;
end;
$$;

revoke all on function audit.make_row(oid, uuid, integer) from public;
comment on function audit.make_row(oid, uuid, integer) is
'Inserts a row of a tenant into a table known from the catalogue alone, and gives it.';
