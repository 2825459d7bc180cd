-- What tells the attacked tenant's rows of the scene: their ids, and texts that were made up for
-- them.
create or replace function audit.marks(p_scene jsonb)
returns setof text
language sql
stable
set search_path = ''
as $$
  select distinct field.value
  from jsonb_each(p_scene -> 'tables') as tables
  cross join jsonb_each_text(coalesce(tables.value -> 'row', '{}')) as field
  where
    field.value not in (p_scene ->> 'attacker', p_scene ->> 'empty')
    and (pg_input_is_valid(field.value, 'uuid') or field.value like 'audit a%');
$$;

revoke all on function audit.marks(jsonb) from public;
comment on function audit.marks(jsonb) is 'Ids and texts that only the attacked tenant''s rows hold.';
