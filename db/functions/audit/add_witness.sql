-- The scene with a query that shows the attacked tenant's rows, and what it shows now, to see
-- whether an attack changed one of them.
create or replace function audit.add_witness(p_scene jsonb)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_witness constant text := (
    select format(
      'select md5(concat_ws(''|'', %s))',
      string_agg(
        format(
          '(select seen::text from only %s as seen where seen.ctid = %L)',
          pg_class.oid::regclass,
          p_scene #>> array['tables', pg_class.oid::text, 'row', 'ctid']
        ),
        ', '
      )
    )
    from jsonb_object_keys(p_scene -> 'tables') as relation
    inner join pg_class on relation = pg_class.oid::text
    where relkind = 'r' and p_scene #> array['tables', pg_class.oid::text, 'row'] is not null
  );
  v_witnessed text;
begin
  execute v_witness into v_witnessed;
  return p_scene || jsonb_build_object('witness', v_witness, 'witnessed', v_witnessed);
end;
$$;

revoke all on function audit.add_witness(jsonb) from public;
comment on function audit.add_witness(jsonb) is
'Adds a query of the attacked tenant''s rows, and its answer.';
