-- An index begins with the columns of each foreign key, in any order, or with one of them that
-- isn't the tenant; else deleting or changing one tenant's parent row reads every tenant's
-- children, under a lock.
select
  format('%s: %s', audit.relation_name(conrelid), conname) as object,
  'no index begins with the columns of this foreign key' as detail
from pg_constraint
inner join audit.tenant_relations() on conrelid = tenant_relations.relation
where
  contype = 'f'
  and conparentid = 0
  and not exists (
    select
    from pg_index
    where
      indrelid = conrelid
      and indpred is null
      and indisvalid
      and (
        (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey
        or exists (
          select
          from pg_attribute
          where
            attrelid = conrelid
            and attnum = indkey[0]
            and attnum = any(conkey)
            and attname <> tenant_relations.tenant_column
        )
      )
  )
