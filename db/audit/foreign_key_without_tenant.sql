-- A foreign key between tenants' tables pairs tenant with tenant. A plain one accepts another
-- tenant's row, and its error tells whether that row exists.
select
  format('%s: %s', audit.relation_name(conrelid), conname) as object,
  format('refers to %s without the tenant', audit.relation_name(confrelid)) as detail
from pg_constraint
inner join audit.tenant_relations() as referring on conrelid = referring.relation
inner join audit.tenant_relations() as referred on confrelid = referred.relation
where
  contype = 'f'
  and not exists (
    select
    from unnest(conkey, confkey) as pair (referring_number, referred_number)
    inner join pg_attribute as referring_column
      on
        referring_column.attrelid = conrelid
        and referring_column.attnum = pair.referring_number
    inner join pg_attribute as referred_column
      on
        referred_column.attrelid = confrelid
        and referred_column.attnum = pair.referred_number
    where
      referring_column.attname = referring.tenant_column
      and referred_column.attname = referred.tenant_column
  )
