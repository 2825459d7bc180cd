-- What all spellings of one county have in common, and no two counties of a state.
-- People write "St. Louis", "SAINT-LOUIS" or "StLouis County" for one place, but
-- "St. Louis City" for another: coverage and fees must neither miss the first nor mix
-- in the second. A name that says nothing ("County") has the key '', which no row may
-- store, so that it matches none; null stays free to mean that no county was named.
create or replace function reference.county_key(p_state text, p_county text)
returns text
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  c_leading constant text :=
    '^(the)?(((city|town)and(county|borough)|county|parish|borough|municipality)of'
    '|municipio(autonomo)?de)?(the)?';
  c_trailing constant text :=
    '((cityand)?(county|cnty)|parish|censusarea|municipality|municipio'
    '|planningregion)+(of|de)?$';
  -- Some names end like these, so they count only as words of their own (Alaska has
  -- no such name), and not even then where the space is a slip: "Hills Borough".
  c_trailing_word constant text := '((cityand)?borough(of)?|co)$';
  c_whole_names constant text[] := array[
    'anasco', 'blanco', 'henrico', 'hillsborough', 'iosco', 'pamlico', 'pasco',
    'rioblanco', 'sanfrancisco', 'wasco', 'wicomico', 'yauco'
  ];
  c_city constant text := '^(independent)?cityof|((independent)?city)+(of)?$';
  -- Without any of these nothing below has anything to take off, but in the four places
  -- with rules of their own.
  c_telling constant text :=
    '^the|county|cnty|parish|censusarea|municip|planningregion|borough|city|co$';
  -- 120 is the longest county that the API takes; it also keeps keys indexable.
  c_longest constant integer := 120;
  v_state text := upper(p_state collate pg_catalog."C");
  v_words text collate pg_catalog."C" := reference.plain_words(p_county);
  v_key text collate pg_catalog."C" :=
    left(replace(replace(v_words, ' ', ''), 'saint', 'st'), c_longest);
  v_city text collate pg_catalog."C";
begin
  if v_key !~ c_telling and v_state not in ('AK', 'AS', 'DC', 'VI') then
    return v_key;
  end if;

  v_key := regexp_replace(v_key, c_leading, '');
  v_key := regexp_replace(v_key, c_trailing, '');

  if v_state = 'AK'
    or (v_words ~ '(^| )(borough( of)?|co)$' and v_key <> all (c_whole_names))
  then
    v_key := regexp_replace(v_key, c_trailing_word, '');
  end if;

  v_key := case
    when v_state = 'VI' then regexp_replace(v_key, 'island$', '')
    when v_state = 'AS' then regexp_replace(v_key, 'district$', '')
    when v_state = 'DC' and v_key in ('dc', 'districtofcolumbia', 'washingtondc')
    then 'washington'
    else v_key
  end;

  v_city := regexp_replace(v_key, c_city, '', 'g');
  if v_city not in (v_key, '') and not reference.is_lone_city(v_state, v_city) then
    return v_city || 'city';
  end if;
  return v_city;
end;
$$;

revoke all on function reference.county_key(text, text) from public;
grant execute on function reference.county_key(text, text)
to svc_owner, svc_api, svc_office;

comment on function reference.county_key(text, text) is
  'The comparison key of a county within its state; empty when the name says nothing.';
