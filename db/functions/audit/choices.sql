-- Values to try in the columns of a check or a unique key, foreign keys and the tenant aside.
-- A column that may be null also tries that.
create or replace function audit.choices(
  p_relation oid,
  p_constraint text,
  p_fixed jsonb,
  p_salt text
)
returns jsonb
language sql
volatile
set search_path = ''
as $$
  select coalesce(
    jsonb_object_agg(
      attname,
      to_jsonb(audit.samples(p_relation, attnum, p_salt))
      || case when attnotnull then '[]'::jsonb else '[null]' end
    ),
    '{}'
  )
  from audit.insertable_columns(p_relation)
  where
    attnum = any(audit.constraint_columns(p_relation, p_constraint))
    and not p_fixed ? attname
    and not exists (
      select
      from pg_constraint
      where contype = 'f' and conrelid = p_relation and attnum = any(conkey)
    );
$$;

revoke all on function audit.choices(oid, text, jsonb, text) from public;
comment on function audit.choices(oid, text, jsonb, text) is
'Values to try in the columns of a check or key that refused a row.';
