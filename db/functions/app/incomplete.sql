-- The refusal of an organization that lacks fields: a fault for each.
create or replace function app.incomplete(p_client_type text, p_fields text[])
returns app.outcome
language sql
stable
set search_path = ''
as $$
  select app.failure(
    'validation_error',
    format('Required for client_type %s: %s.', p_client_type, array_to_string(p_fields, ', ')),
    (
      select json_agg(
        json_build_object(
          'loc', json_build_array('body', missing.field),
          'msg', format('required for client_type %s', p_client_type),
          'type', 'missing'
        )
        order by missing.position
      )
      from unnest(p_fields) with ordinality as missing (field, position)
    )
  );
$$;

revoke all on function app.incomplete(text, text[]) from public;
grant execute on function app.incomplete(text, text[]) to svc_api;
comment on function app.incomplete(text, text[]) is
'The outcome of an organization that lacks fields which its type requires.';
