-- A first sample for each column that an insert can't leave out, and for those of unique keys,
-- where nulls would never meet; foreign keys are filled elsewhere.
create or replace function audit.first_choice(p_relation oid, p_fixed jsonb, p_salt text)
returns jsonb
language sql
volatile
set search_path = ''
as $$
  select coalesce(
    jsonb_object_agg(attname, (audit.samples(p_relation, attnum, p_salt))[1]),
    '{}'
  )
  from audit.insertable_columns(p_relation)
  where
    not atthasdef
    and attidentity = ''
    and not p_fixed ? attname
    and (
      attnotnull
      or exists (
        select
        from pg_index
        where indrelid = p_relation and indisunique and attnum = any(indkey::int2[])
      )
    )
    and not exists (
      select
      from pg_constraint
      where contype = 'f' and conrelid = p_relation and attnum = any(conkey)
    );
$$;

revoke all on function audit.first_choice(oid, jsonb, text) from public;
comment on function audit.first_choice(oid, jsonb, text) is
'Samples for the columns that a new row can''t do without, and for those of unique keys.';
