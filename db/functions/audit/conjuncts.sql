-- The parts of an expression that must all be true, from its printed form: `((a) AND (b))`
-- gives `(a)` and `(b)`. Anything else, an OR above all, is one part.
create or replace function audit.conjuncts(p_expression text)
returns text[]
language plpgsql
immutable
strict
set search_path = ''
as $$
declare
  v_inner constant text := substr(p_expression, 2, length(p_expression) - 2);
  v_depth integer := 0;
  v_start integer := 1;
  v_is_quoted boolean := false;
  v_letter text;
  v_parts text[] := '{}';
begin
  for v_at in 1..length(v_inner) loop
    v_letter := substr(v_inner, v_at, 1);
    v_is_quoted := v_is_quoted <> (v_letter = '''');
    v_depth := v_depth + case
      when v_is_quoted then 0
      when v_letter = '(' then 1
      when v_letter = ')' then -1
      else 0
    end;
    if v_depth < 0 or (v_depth = 0 and not v_is_quoted and substr(v_inner, v_at, 4) = ' OR ') then
      return array[p_expression];
    end if;
    if v_depth = 0 and not v_is_quoted and substr(v_inner, v_at, 5) = ' AND ' then
      v_parts := v_parts || substr(v_inner, v_start, v_at - v_start);
      v_start := v_at + 5;
    end if;
  end loop;
  return case
    when v_parts = '{}' then array[p_expression]
    else v_parts || substr(v_inner, v_start)
  end;
end;
$$;

revoke all on function audit.conjuncts(text) from public;
grant execute on function audit.conjuncts(text) to svc_auditor;
comment on function audit.conjuncts(text) is 'The parts of a printed expression that AND joins.';
