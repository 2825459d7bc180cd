-- Before tables: generated columns are made of it.
-- How names and e-mail addresses compare without regard to case. The Unicode rules are
-- named and not left to the database's locale: a stored key must not change when a
-- cluster is set up anew.
create or replace function app.fold_case(p_text text)
returns text
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
begin
  return casefold(p_text collate pg_catalog.pg_unicode_fast);
end;
$$;

revoke all on function app.fold_case(text) from public;
grant execute on function app.fold_case(text) to svc_owner, svc_api, svc_search;
comment on function app.fold_case(text) is 'A text by which case makes no difference.';
