-- Analysts see no names, e-mails and phones of borrowers, clients and contacts, no notes, no
-- street lines, no loan numbers, and no free-form content that may hold them. Judged by the
-- column's name, on tables and on views, so that a new column is covered.
select
  format('%s.%I', audit.relation_name(pg_class.oid), attname) as object,
  'svc_analyst can read it' as detail
from pg_class
inner join pg_namespace on relnamespace = pg_namespace.oid
inner join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
where
  relkind in ('r', 'p', 'f', 'v', 'm')
  and nspname !~ '^pg_'
  and nspname <> 'information_schema'
  and (
    attname ~ '(^|_)(email|e_mail|phone|fax|mobile|ssn|notes?|metadata|body|content)(_|$)'
    or attname ~ '(^|_)(line1|line2|street|property_address|address_line[0-9])(_|$)'
    or attname ~ '(^|_)(first|last|full|display|client|borrower|contact|file)_name(_|$)'
    or attname ~ '(^borrower_|loan_number|birth|_row$)'
    or (relname ~ 'contacts?$' and attname ~ '(^|_)name$')
  )
  and has_column_privilege('svc_analyst', pg_class.oid, attnum, 'select')
