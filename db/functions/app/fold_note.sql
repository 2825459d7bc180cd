-- People write one word in a thousand ways: capitals, wide letters, accents, Cyrillic
-- look-alikes, any dash or space, dots in abbreviations. Matching happens on this
-- form: small ASCII words, digits and tokens (see app.fold_figures), one space between
-- them and around each line. Never shown and never stored. A line stays a line, so
-- that a whole note is folded in one go.
create or replace function app.fold_note(p_text text)
returns text
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  -- Accents, soft hyphens, marks of direction, variation selectors, zero widths.
  c_invisible constant text :=
    '[\u00ad\u0300-\u036f\u0483-\u0489\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f'
    '\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff'
    '\u3164\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\U000e0000-\U000e01ef]+';
  -- Letters that normalization keeps apart although they look alike: Cyrillic,
  -- Greek, strokes and small capitals; then currencies, apostrophes and dashes.
  c_look_alike constant text :=
    E'\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445'
    '\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425'
    '\u0456\u0458\u0455\u0501\u051b\u051d\u04bb\u0475\u04cf\u0433'
    '\u0406\u0408\u0405\u0500\u051a\u051c\u04ba\u0474\u04c0'
    '\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7'
    '\u0391\u0392\u0395\u0396\u0397\u0399\u039a'
    '\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7'
    '\u0131\u0269\u0251\u0261\u0142\u0141\u00f8'
    '\u00d8\u0111\u0127\u0167\u026a\u029f'
    '\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u1d0a\u1d0b\u1d0d\u0274\u1d0f'
    '\u1d18\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22'
    '\u20ac\u00a3\u00a5\u2019\u2018\u02bc\u2032'
    '\u2010\u2012\u2013\u2014\u2212\u2044';
  c_plain constant text :=
    E'abekmhopctyx'
    'abekmhopctyx'
    'ijsdqwhvlr'
    'ijsdqwhvl'
    'aeikvoptux'
    'abezhik'
    'mnoptyx'
    'iiagllo'
    'odhtil'
    'abcdefghjkmno'
    'prstuvwyz'
    '\x24\x24\x24'''''''''
    '-----/';
  v_text text collate pg_catalog."C";
begin
  -- Before normalization, which would make letters of the first four.
  v_text := translate(p_text, E'\u2122\u2120\u00ae\u00a9~', '     ');
  v_text := regexp_replace(normalize(v_text, NFKD), c_invisible, '', 'g');
  v_text := lower(translate(v_text, c_look_alike, c_plain));
  v_text := replace(replace(v_text, '&nbsp;', ' '), '&amp;', '&');

  v_text := app.fold_figures(v_text);

  v_text := replace(replace(v_text, '@', ' at '), '&', ' and ');
  v_text := replace(replace(v_text, ',', ' , '), ';', ' ; ');
  v_text := regexp_replace(v_text, '[^a-z0-9#,;''\n]+', ' ', 'g');
  v_text := replace(replace(v_text, '''s ', ' '), '''', '');
  -- "A.V.M.", "a v m", "v a l u e": letters that stand alone make up a word.
  v_text := regexp_replace(v_text, ' ([a-z])(?= )', E' \x01\\1\x01', 'g');
  return replace(replace(v_text, E'\x01 \x01', ''), E'\x01', '');
end;
$$;

revoke all on function app.fold_note(text) from public;

comment on function app.fold_note(text) is
  'A note as plain small words and figure tokens, line by line, for matching only.';
