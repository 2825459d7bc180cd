-- Large objects have no row-level security and belong to no tenant. The product makes none.
select
  'large object ' || oid as object,
  format('is owned by %s', lomowner::regrole) as detail
from pg_largeobject_metadata
