-- A name as its bare words: case folded, accents gone, one space between words.
-- Every step names its Unicode rules instead of leaving them to the database's
-- locale, because a stored key must not change when a cluster is set up anew.
-- Apostrophes of all kinds join what they stand between; other signs part it.
-- Most names are words of plain letters with one space between, and only their case folds.
create or replace function reference.plain_words(p_text text)
returns text
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  -- Combining accents, apostrophes (the okina and the saltillo are letters to
  -- Unicode), and signs of no width.
  c_joining constant text :=
    '[\u0300-\u036f''`\u2018-\u201b\u2032\u02b9-\u02ff\ua78b\ua78c'
    '\u00ad\u200b-\u200d\u2060\ufeff]+';
  v_text text collate pg_catalog.pg_unicode_fast;
begin
  if p_text collate pg_catalog."C" ~ '^[A-Za-z]+( [A-Za-z]+)*$' then
    return lower(p_text collate pg_catalog."C");
  end if;
  v_text := normalize(p_text, nfkd);
  v_text := replace(casefold(v_text), '&', ' and ');
  v_text := regexp_replace(v_text, c_joining, '', 'g');
  return btrim(regexp_replace(v_text, '[^[:alnum:]]+', ' ', 'g'));
end;
$$;

revoke all on function reference.plain_words(text) from public;
grant execute on function reference.plain_words(text) to svc_owner, svc_api, svc_office;

comment on function reference.plain_words(text) is
  'The words of a name without case, accents and punctuation, single-spaced.';
