-- What a column's checks mention, and those of its domain: the quoted texts, one that each of
-- their patterns accepts, and for a number the numbers with their neighbours.
create or replace function audit.literals(p_relation oid, p_column smallint, p_salt text)
returns text[]
language sql
stable
set search_path = ''
as $$
  with own as (
    select atttypid, typcategory
    from pg_attribute
    inner join pg_type on atttypid = pg_type.oid
    where attrelid = p_relation and attnum = p_column
  ),
  mention as (
    select
      found.parts[1] like '~%' as is_pattern,
      replace(found.parts[2], '''''', '''') as text,
      found.parts[3]::numeric as number
    from pg_constraint
    cross join regexp_matches(
      pg_get_constraintdef(oid),
      '(~\*? |)''((?:[^'']|'''')*)''|(?<![\w.''])([0-9]{1,9})(?![\w.''])',
      'g'
    ) as found (parts)
    where
      contype = 'c'
      and (
        (conrelid = p_relation and p_column = any(conkey))
        or (contypid <> 0 and contypid = (select atttypid from own))
      )
  )
  select coalesce(array_agg(distinct candidate.text), '{}')
  from mention
  cross join lateral (
    select case
      when mention.is_pattern then audit.sample_of_pattern(mention.text, p_salt)
      else mention.text
    end

    union all

    select (mention.number + step)::text
    from generate_series(-1, 1) as step
    where (select typcategory from own) = 'N'
  ) as candidate (text)
  where candidate.text is not null;
$$;

revoke all on function audit.literals(oid, smallint, text) from public;
comment on function audit.literals(oid, smallint, text) is
'Texts, matches of patterns and numbers that the checks of a column mention.';
