-- Whether a column's own checks, those that look at no other column, accept a value.
create or replace function audit.fits_checks(p_relation oid, p_column smallint, p_value jsonb)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
declare
  v_expression text;
  v_is_false boolean;
begin
  for v_expression in
    select pg_get_expr(conbin, conrelid)
    from pg_constraint
    where conrelid = p_relation and contype = 'c' and conkey = array[p_column]
  loop
    execute format(
      'select not (%s) from jsonb_populate_record(null::%s, %L)',
      v_expression,
      p_relation::regclass,
      (
        select jsonb_build_object(attname, p_value)
        from pg_attribute
        where attrelid = p_relation and attnum = p_column
      )
    ) into v_is_false;
    if v_is_false then
      return false;
    end if;
  end loop;
  return true;
exception
  -- A value that the type or the check's own functions can't read doesn't fit either.
  when data_exception then
    return false;
end;
$$;

revoke all on function audit.fits_checks(oid, smallint, jsonb) from public;
comment on function audit.fits_checks(oid, smallint, jsonb) is
'Whether the checks of one column alone accept a value.';
