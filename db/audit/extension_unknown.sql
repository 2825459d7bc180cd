-- Extensions bring code that policies don't bind: connections out, files, other languages.
-- The product needs two; anything else is for its administrator to look at.
select
  extname::text as object,
  'is not an extension that the product uses' as detail
from pg_extension
where extname not in ('plpgsql', 'pg_trgm', 'btree_gin')
