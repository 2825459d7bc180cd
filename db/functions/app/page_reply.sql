-- A page of a list, the same for every resource that is paged by offset.
create or replace function app.page_reply(
  p_items json[],
  p_limit integer,
  p_offset integer,
  p_has_more boolean
)
returns api.reply
language sql
immutable
parallel safe
set search_path = ''
as $$
  select app.reply(200, json_build_object(
    'items', p_items,
    'limit', p_limit,
    'offset', p_offset,
    'has_more', p_has_more
  ));
$$;

revoke all on function app.page_reply(json[], integer, integer, boolean) from public;
grant execute on function app.page_reply(json[], integer, integer, boolean) to svc_api;
comment on function app.page_reply(json[], integer, integer, boolean) is
'200 with the items of a page and whether there are more behind it.';
