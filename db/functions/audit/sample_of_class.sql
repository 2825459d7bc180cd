-- A sign of a class such as `[2-9a-z]`, chosen by the salt within the first range.
create or replace function audit.sample_of_class(p_class text, p_salt text)
returns text
language sql
immutable
strict
set search_path = ''
as $$
  select case
    when part[2] is null then part[1]
    else chr(
      ascii(part[1]) + abs(hashtext(p_salt) % (ascii(part[2]) - ascii(part[1]) + 1))
    )
  end
  from regexp_match(p_class, '^\[(.)(?:-([^]]))?') as part;
$$;

revoke all on function audit.sample_of_class(text, text) from public;
comment on function audit.sample_of_class(text, text) is 'A sign that a class of a pattern accepts.';
