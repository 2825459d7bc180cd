-- Whether a number is an amount, and of which size, decides what a sentence gives
-- away: an appraisal "for $500" has a fee, one "at 450k" a value, and a phone number
-- or a house number says nothing. Takes small ASCII text; the tokens:
--   #v  at least five digits, by its marks an amount: $450000, 450,000, 450k, 1.2 mil
--   #s  a smaller amount: $450, 1,200, 2k
--   #d  no amount: a date, a time, a phone, a percentage, a measure, a house number
-- Digits without any mark stay; app.note_signs goes by how many they are.
create or replace function app.fold_figures(p_text text)
returns text
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  c_unmarked constant text := '(?<![0-9$.,])';
  c_measures constant text :=
    'st|nd|rd|th|sqft|sq|square|sf|gla|acres?|ac|miles?|mi|ft|feet|gallons?|days?|hrs?'
    '|hours?|weeks?|wks?|months?|yrs?|years?|mins?|minutes?|bedrooms?|beds?|bdr?|br'
    '|bathrooms?|baths?|ba|units?|story|stories|doors?|keys?|pages?|photos?|comps?'
    '|steps?|floors?|people|dogs?|cats?|tenants?|times';
  c_streets constant text :=
    'street|st|road|rd|avenue|ave|av|lane|ln|drive|dr|court|ct|boulevard|blvd|place|pl'
    '|way|circle|cir|terrace|parkway|pkwy|highway|hwy';
  c_no_amount constant text :=
    '[a-z0-9._+-]+@[a-z0-9-]+([.][a-z0-9-]+)*[.][a-z]{2,}'
    '|# ?[0-9]+(?![0-9]|[,.][0-9]|k)'
    || '|' || c_unmarked
    || '([+]?1[-. ]?)?[(]?[0-9]{3}[)]?[-. ]{1,2}[0-9]{3}[-. ][0-9]{4}(?![0-9])'
    || '|' || c_unmarked || '[0-9]{3}[-.][0-9]{4}(?![0-9])'
    || '|(?<![0-9$,])[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}(?![0-9])'
    || '|' || c_unmarked || '[0-9]{1,2}/[0-9]{1,2}(?![0-9])|[0-9]{1,2}:[0-9]{2}'
    || '|' || c_unmarked || '[0-9]{1,2} ?[ap][.]?m(?![a-z])|[0-9][0-9.,]* ?(%|percent)'
    || '|' || c_unmarked || '[0-9][0-9.,]*[ -]?(' || c_measures || ')(?![a-z])'
    || '|' || c_unmarked || '[0-9]{1,6}'
    '(?= (?!(at|as|on|in|of|or|to|and|for|per|is|with) )([a-z]+[.]? ){1,3}('
    || c_streets || ')(?![a-z]))';
  c_large constant text :=
    '(?<![0-9])([$] ?)?([0-9]{2,3}([,.''][0-9]{3})+([.][0-9]{1,2})?'
    '|[0-9]([,.''][0-9]{3}){2,}([.][0-9]{1,2})?|[0-9]{2,3}( [0-9]{3})* [0-9]00'
    '|[0-9]+([.,][0-9]+)? ?(m|mm|mil|mill|millions?|thousands?|thou|grand)(?![a-z])'
    '|[0-9]{2,}([.,][0-9]+)?[ -]?k(?![a-z])'
    '|[0-9]{2,3} ?(-|to|/) ?[$]?[0-9]{2,3} ?k(?![a-z])'
    '|[0-9][0-9x]{2},?xxx|[0-9][0-9x]{2}k|[0-9]{1,2}[0-9]0s)(?![0-9])'
    '|[$] ?[0-9]{5,}([.,][0-9]+)?|(?<![a-z])(five|six|seven)[- ]figures?(?![a-z])';
  c_small constant text :=
    '[$] ?[0-9]+([.,][0-9]+)?|(?<![0-9])[0-9],[0-9]{3}(?![0-9])'
    '|(?<![0-9])[0-9]([.][0-9]+)? ?k(?![a-z])';
  v_text text collate pg_catalog."C" := translate(p_text, E'\x01', '');
begin
  -- The sign of the tokens comes last, so that no note can forge one.
  v_text := regexp_replace(v_text, c_no_amount, E' \x01d ', 'g');
  v_text := regexp_replace(v_text, c_large, E' \x01v ', 'g');
  v_text := regexp_replace(v_text, c_small, E' \x01s ', 'g');
  v_text := regexp_replace(v_text, '([0-9]+)([.][0-9]+)*', ' \1 ', 'g');
  return translate(v_text, E'#\x01', ' #');
end;
$$;

revoke all on function app.fold_figures(text) from public;

comment on function app.fold_figures(text) is
  'Small ASCII text with tokens for amounts and for numbers that are none.';
