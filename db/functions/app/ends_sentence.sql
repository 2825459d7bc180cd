-- Whether a word with a full stop, a question mark or an exclamation mark ends its
-- sentence. After an abbreviation or an initial it does so only where the next word
-- can do little but begin a sentence: a sentence taken too long is lost, one taken too
-- short lets its figure slip through.
create or replace function app.ends_sentence(p_word text, p_next_word text)
returns boolean
language plpgsql
immutable
parallel safe
set search_path = ''
as $$
declare
  c_abbreviations constant text[] := string_to_array(
    'est estd estim ins approx appx apx appr apprs mkt mrkt val vals vs mr mrs ms dr'
    ' prof rev hon gen rep sen gov prop avg max min incl excl acct addr attn ref'
    ' refs assd assmt assess orig prev curr std adj temp misc viz cf ca aka lic ph'
    ' tel fin dep comm mgmt govt sched hse bldg resp tax e.g i.e est''d ass''d'
    ' ass''mt app''d',
    ' '
  );
  -- These often stand at the end of a sentence as well: a capital tells.
  c_last_words constant text[] := string_to_array(
    'inc llc co corp ltd bros sq in mo yr hr hrs yrs mos jr sr esq etc ext dept'
    ' mgr mil jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu'
    ' thur thurs fri sat sun ph.d a.m p.m',
    ' '
  );
  -- A name may follow these, as it may follow initials; so they need a telling word.
  c_before_name constant text[] := '{st,ft,ave,av,rd,blvd,ln,ct,pl,pkwy,hwy,cir,ter}';
  c_before_number constant text[] :=
    '{no,nos,num,apt,ste,unit,rm,lot,sec,p,pp,pg,ch,fig,par}';
  c_openings constant text[] := string_to_array(
    'The It Its This That These There They He She We You Please If When What'
    ' However But So And',
    ' '
  );
  c_subjects constant text[] := string_to_array(
    'Call Contact Borrower Owner Client Lender Buyer Seller Tenant Gate Lockbox'
    ' Key Dog Dogs Property House Home Access Appraiser Note Notes Also Use Ask'
    ' Send Need Needs Do Meet Text Email Enter Park Leave Ring Knock Order Schedule'
    ' Inspection Bring Loan Fee Purchase Rent Est Estimated Assessed Appraised'
    ' Zillow Zestimate Redfin Avm Bpo Arv Fmv',
    ' '
  );
  v_word text collate pg_catalog."C";
  v_next text collate pg_catalog."C";
  v_capital text collate pg_catalog."C";
begin
  -- Closing quotes and brackets stand after the stop, opening ones before the word.
  v_word := rtrim(normalize(p_word, NFKC), E'"'')]}>*_\u2018\u2019\u201c\u201d\u00bb');
  v_next := ltrim(normalize(p_next_word, NFKC), E'"''([{*_\u2018\u201c\u00ab');

  if right(v_word, 1) in ('!', '?', E'\u3002') then
    return true;
  elsif right(v_word, 1) <> '.' then
    return false;
  elsif v_next is null then
    return true;
  elsif right(v_word, 2) = '..' or v_word = '.' then
    -- Nor do three, or one that stands alone, in the middle ("Realtor . com").
    return v_next between 'A' and '[' and lower(v_next) not like 'com%';
  end if;

  v_word := replace(lower(v_word), E'\u2019', '''');
  v_word := substring(v_word, '(?:^|[^a-z0-9''.])([a-z''.]*)[.]$');
  v_capital := initcap(coalesce(substring(v_next, '^[A-Z][A-Za-z]*'), ''));
  return case
    when v_word = any(c_before_number) then v_next !~ '^[#(]?[0-9]'
    when v_word = any(c_abbreviations) then v_capital = any(c_openings)
    when v_word = any(c_last_words) then v_capital <> ''
    when v_word = any(c_before_name) or v_word ~ '^([a-z][.])*[a-z]$'
    then v_capital = any(c_openings || c_subjects)
    else true
  end;
end;
$$;

revoke all on function app.ends_sentence(text, text) from public;

comment on function app.ends_sentence(text, text) is
  'Whether a word that ends in punctuation ends its sentence, given the next word.';
