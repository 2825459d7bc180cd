-- Permissive policies are joined by `or`: with two for one role and command, the wider one
-- wins, and reading either alone misleads. One policy per role and command, counting those
-- for all commands, and those of roles that the role is a member of.
select
  format('%s for %s', audit.relation_name(policies.relation), audit.role_name(reader.oid)) as object,
  format(
    'permissive policies add up for %s: %s',
    command.name,
    string_agg(policies.name, ', ' order by policies.name)
  ) as detail
from audit.policies()
inner join audit.tenant_relations() on policies.relation = tenant_relations.relation
cross join (values ('r', 'select'), ('a', 'insert'), ('w', 'update'), ('d', 'delete'))
  as command (letter, name)
inner join pg_roles as reader
  on
    0 = any(policies.roles)
    or exists (
      select
      from unnest(policies.roles) as role
      where role = reader.oid or (role <> 0 and pg_has_role(reader.oid, role, 'usage'))
    )
where
  policies.is_permissive
  and policies.command in (command.letter, '*')
  and not reader.rolsuper
  and not audit.is_exception('policies_add_up', tenant_relations.name, reader.rolname)
group by policies.relation, reader.oid, command.name
having count(*) > 1
