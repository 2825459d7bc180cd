-- A policy calls its functions as `(select f())`, once a statement. Called bare they run once
-- a row, and no index on the tenant is used: a query of milliseconds takes minutes, which
-- is when somebody takes the policy away.
select
  policies.name as object,
  format('calls a function for every row: %s', called[1]) as detail
from audit.policies()
cross join lateral regexp_matches(
  regexp_replace(
    concat_ws(' ', policies.read_expression, policies.write_expression),
    '\( SELECT [\w."]+\(\) AS [\w"]+\)',
    '',
    'g'
  ),
  '([a-z_]\w*\.\w+)\(',
  'g'
) as called
inner join audit.tenant_relations() on policies.relation = tenant_relations.relation
group by policies.name, called
