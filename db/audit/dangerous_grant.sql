-- Row-level security covers neither `truncate` nor `references`; a trigger or maintenance acts
-- on every row. Nobody holds these rights on tenants' tables.
select
  tenant_relations.name as object,
  format('%s may %s', audit.role_name(grants.role), lower(grants.privilege)) as detail
from audit.grants()
inner join audit.tenant_relations() on grants.relation = tenant_relations.relation
where grants.privilege in ('TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN')
