-- Values for the foreign keys of a table that a row can't do without: keys of rows of the same
-- tenant in the tables referred to; new rows when asked for, when there are none, and where
-- the rows of a table are nobody's: an analyst's token must not get another tenant.
create or replace function audit.parent_keys(
  p_relation oid,
  p_tenant uuid,
  p_depth integer,
  p_is_fresh boolean default false
)
returns jsonb
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_key record;
  v_keys jsonb := '{}';
begin
  for v_key in
    select foreign_key.conkey, foreign_key.confkey, foreign_key.confrelid
    from pg_constraint as foreign_key
    where
      foreign_key.contype = 'f'
      and foreign_key.conrelid = p_relation
      and foreign_key.confrelid is distinct from to_regclass('app.tenants')
      and not exists (
        select
        from pg_attribute
        where attrelid = p_relation and attnum = any(foreign_key.conkey) and not attnotnull
      )
  loop
    v_keys := v_keys || audit.foreign_key_values(
      v_key.conkey,
      p_relation,
      v_key.confkey,
      v_key.confrelid,
      case
        when p_is_fresh or audit.tenant_column(v_key.confrelid) is null
          then audit.make_row(v_key.confrelid, p_tenant, p_depth + 1)
        else audit.require_row(v_key.confrelid, p_tenant, p_depth + 1)
      end
    );
  end loop;
  return v_keys;
end;
$$;

revoke all on function audit.parent_keys(oid, uuid, integer, boolean) from public;
comment on function audit.parent_keys(oid, uuid, integer, boolean) is
'Values for the required foreign keys of a tenant''s new row.';
