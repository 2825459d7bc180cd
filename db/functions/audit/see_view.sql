-- What an attacker without any row sees of a view: a digest of all that it may read there, or
-- null when it may read nothing. It must not change when others' rows do.
create or replace function audit.see_view(p_persona audit.persona, p_view oid, p_scene jsonb)
returns text
language sql
volatile
set search_path = ''
as $$
  select tried.value
  from (
    select coalesce(string_agg(quote_ident(attname), ', ' order by attnum), '1')
    from pg_attribute
    where
      attrelid = p_view
      and attnum > 0
      and not attisdropped
      and has_column_privilege(p_persona.role, p_view, attnum, 'select')
  ) as readable (columns)
  cross join lateral audit.try_as(
    p_persona,
    audit.proof_settings((p_scene ->> 'empty')::uuid),
    format(
      'select coalesce(md5(string_agg(seen::text, ''|'' order by seen::text)), ''nothing'')
      from (select %s from %s) as seen',
      readable.columns,
      p_view::regclass
    )
  ) as tried;
$$;

revoke all on function audit.see_view(audit.persona, oid, jsonb) from public;
comment on function audit.see_view(audit.persona, oid, jsonb) is
'Digest of what an attacker without rows reads of a view; null when it may not.';
