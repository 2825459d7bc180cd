-- Values to try in a column, as JSON that its type can be read from: what the column's checks
-- mention and common forms of the type, as far as its own checks accept them. The salt makes
-- texts differ.
create or replace function audit.samples(p_relation oid, p_column smallint, p_salt text)
returns jsonb[]
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_given oid;
  v_type oid;
  v_is_array boolean;
  v_texts text[];
begin
  select given.oid, coalesce(nullif(base.typelem, 0), base.oid), base.typcategory = 'A'
  into v_given, v_type, v_is_array
  from pg_attribute
  inner join pg_type as given on atttypid = given.oid
  inner join pg_type as base on base.oid = coalesce(nullif(given.typbasetype, 0), given.oid)
  where attrelid = p_relation and attnum = p_column;

  v_texts := audit.sample_texts(v_type, p_salt) || audit.literals(p_relation, p_column, p_salt);
  return array(
    select sample.value
    from (
      select value, position
      from unnest(v_texts) with ordinality as mentioned (value, position)
      where
        pg_input_is_valid(value, format_type(case when v_is_array then v_type else v_given end, null))
    ) as text
    cross join lateral (
      select case
        when v_is_array then jsonb_build_array(text.value)
        when v_type in ('json'::regtype, 'jsonb'::regtype) then text.value::jsonb
        else to_jsonb(text.value)
      end
    ) as sample (value)
    where audit.fits_checks(p_relation, p_column, sample.value)
    order by text.position
  );
end;
$$;

revoke all on function audit.samples(oid, smallint, text) from public;
comment on function audit.samples(oid, smallint, text) is
'Values to try in a column, as JSON, that its own checks accept.';
