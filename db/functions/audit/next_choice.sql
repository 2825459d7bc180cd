-- One of the choices for each column: a single column goes through them in turn, several jump
-- about, by a hash that is the same on every run.
create or replace function audit.next_choice(p_choices jsonb, p_try integer)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(choice.key, choice.value -> (
    case
      when (select count(*) from jsonb_object_keys(p_choices)) = 1 then p_try
      else abs(hashtext(p_try || ' ' || choice.key) % 1000000)
    end % jsonb_array_length(choice.value)
  )), '{}')
  from jsonb_each(p_choices) as choice;
$$;

revoke all on function audit.next_choice(jsonb, integer) from public;
comment on function audit.next_choice(jsonb, integer) is 'One of several values for each column.';
