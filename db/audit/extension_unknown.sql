-- Extensions bring code that policies don't bind: connections out, files, other languages.
-- The product needs two, in a schema of their own; anything else is for its administrator to
-- look at.
select
  extname::text as object,
  case
    when extname in ('plpgsql', 'pg_trgm', 'btree_gin')
      then format('is in schema %s, among the objects that are there', nspname)
    else 'is not an extension that the product uses'
  end as detail
from pg_extension
inner join pg_namespace on extnamespace = pg_namespace.oid
where (extname, nspname) not in (
  ('plpgsql', 'pg_catalog'),
  ('pg_trgm', 'extensions'),
  ('btree_gin', 'extensions')
)
