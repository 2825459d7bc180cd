-- Phrases of more than one word, settled before each word is taken by itself: sources
-- of value ("price opinion", "realtor.com") become the word "avm", the basis of a
-- value ("after repairs", "when completed") "asis", and idioms that speak of no
-- property ("we value your business", "Fort Worth") become "~", which no pattern
-- reaches across. An idiom belongs here only if it can't hide a figure.
create or replace function app.fold_phrases(p_lines text)
returns text
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  c_together constant text :=
    ' (estimated|estimate|est|assessed|appraised|fair|market|mkt|taxable|tax'
    '|as ?is|after ?repair(ed|s)?|property|home|house|land|current|present)+'
    '(values?|vals?|valuations?)(?= )';
  c_source constant text :=
    ' (avms|automated valuations?|automated value|z+estim[a-z]*|zil+ow[a-z]*'
    '|redfin[a-z]*|(realtor|homes) ?(dot ?)?com|bpos?|bovs?|fmvs?|arvs?|emvs?|cmas?'
    '|eppraisals?|opinions? (of|on) price'
    '|(price|brokers?|agents?|realtors?) ?(price ?)?opinions?'
    '|(comparative|competitive|comparable) market analys[ei]s'
    '|assess(ed|ments?) for( the)?( property)? tax(es)?)(?= )';
  c_basis constant text :=
    ' (as is|as ?(repaired|completed?|stabilized|improved|proposed|renovated|finished)'
    '|(after|post)( the| all)? ?(repair(s|ed)?|reno|renovations?|renovated|rehab'
    '|rehabbed|rehabilitation|improvements?|remodel|completion|construction)'
    '|(upon|when|once) (completion|completed?|done|finished|repaired|renovated)'
    '|subject to (repairs?|completion))(?= )';
  c_goodwill constant text :=
    '((valued(?! (at|by|for|per))|(we|i|they|you|truly|really|highly|greatly|always'
    '|also|do|clients|customers|lenders|people|banks|amcs|who|to) value|(client'
    '|customer|lender|borrower|owner|seller|buyer|tenant|amc|team|company|office|bank'
    '|he|she|who) values) ([a-z]+ ){0,2}(business|time|partnership|relationships?'
    '|feedback|clients?|customers?|trust|privacy|loyalty|help|work|services?|support'
    '|patience|input|quality|speed|honesty|communication|cooperation|efforts?'
    '|friendship|members?|partners?|guests?|vendors?|friends?|teams?|colleagues?'
    '|employees?|lenders?|agents?|referrals?|insights?|expertise|professionalism|people'
    '|accuracy|security|your opinions?)|(we|i|truly|really|highly|greatly) values? you'
    '|(great|good|better|best|excellent|real|amazing|fantastic) (value|worth)'
    '(?!( [a-z]+){0,3} (#v|[0-9]{5})| [a-z]+ (property|house|home))'
    '|values? for( the| your| our| their)? money|(add|adds|added|adding) values?'
    '|value (add|added|adding|proposition|engineering|driven)|loan to value'
    '|(face|core|family|sentimental|nutritional|shared) values?)';
  c_names constant text :=
    '((fort|ft|lake|net|mr|mrs|ms|dr) worth|thousand oaks|avm (home loans|mortgage)'
    '|(market )?(value|worth) (street|st|road|rd|avenue|ave|lane|ln|boulevard|blvd)'
    '|([a-z]+ )?value( (appraisals?|appraisers?|appraising|valuations?|services?|group'
    '|realty|associates|partners|solutions|consulting|real estate|advisors?|management'
    '|mortgage|lending|home|homes|company|and)){1,4} (llc|inc|corp|pllc|ltd))';
  c_worthwhile constant text :=
    '(for what it( is)? worth|fwiw'
    '|worth (repeating|remembering|(?!nothing|something|anything)[a-z]+ing|it|while'
    '|your|our|(a|the|another|every)'
    ' ((quick|short|second|closer|brief|little|extra|small|rush) )?'
    '(call|look|try|visit|shot|note|mention|drive|trip|stop|moment|effort|wait|time'
    '|trouble|hassle|email|text|check|reminder|conversation|chat|read|fee|money|cost'
    '|price|expense|penny|risk|minute|discussion))(?!( [a-z]+){0,3} (#v|[0-9]{5}))'
    '|(#[vs]|[0-9]+) worth of'
    '(?! (the|this|that|our|his|her|property|house|home|land) ))';
  -- Other things that are estimated or assessed, and the other side of a market.
  c_other constant text :=
    '((estimated|estimate|est) (delivery|deliveries|fees?|turnaround|turn|turntime'
    '|completion|closing|close|arrival|start|eta|costs?|repairs?|taxes|payments?|budget'
    '|dates?|time|age|loan|square|sq|rent|rents|monthly|income)'
    '|(special|hoa|condo|association|sewer|road|needs?|risk|condition|damage|safety'
    '|site|environmental|self|initial|quick|visual|structural|health|access)'
    ' assessments?'
    '|assessors? (office|parcel|map|plat|page|website|site|id|pin|apn)'
    '|on the market(?! val))';
  v_lines text collate pg_catalog."C" := p_lines;
begin
  v_lines := regexp_replace(v_lines, c_together, ' market value', 'g');
  v_lines := regexp_replace(v_lines, c_source, ' avm', 'g');
  v_lines := regexp_replace(v_lines, c_basis, ' asis', 'g');
  return regexp_replace(
    v_lines,
    ' (' || concat_ws('|', c_goodwill, c_names, c_worthwhile, c_other) || ')(?= )',
    ' ~',
    'g'
  );
end;
$$;

revoke all on function app.fold_phrases(text) from public;

comment on function app.fold_phrases(text) is
  'Folded lines with sources, bases and idioms settled as single words.';
