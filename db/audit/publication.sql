-- Logical replication sends rows past row-level security. No publication holds tenants' rows.
select
  publication.pubname || ': ' || tenant_relations.name as object,
  'every tenant''s rows leave the database' as detail
from audit.tenant_relations()
inner join pg_publication_tables as publication
  on
    tenant_relations.name
    = format('%I.%I', publication.schemaname, publication.tablename)
