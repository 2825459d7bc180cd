-- An attacker as the proof names it: a login, and the role that it put on.
create or replace function audit.persona_name(p_persona audit.persona)
returns text
language sql
immutable
set search_path = ''
as $$
  select p_persona.login
    || case when p_persona.role <> p_persona.login then ' as ' || p_persona.role else '' end;
$$;

revoke all on function audit.persona_name(audit.persona) from public;
comment on function audit.persona_name(audit.persona) is 'Name of an attacker in the proof.';
