-- What counts as giving a value away, as one pattern over the signs of a sentence (see
-- app.note_vocabulary). Some terms are too much even without a figure, which may stand
-- anywhere near. Words with an ordinary life of their own need one beside them, and
-- the smaller a word's own weight, the larger the figure: "value 450" says enough, but
-- "appraisal $450" is a fee and "assessment $200" a bill.
create or replace function app.value_pattern()
returns text
language plpgsql
immutable
parallel safe
set search_path = ''
as $$
declare
  c_kind constant text := '[eahsgtmbickypz]';
  c_link constant text := '[LABCFHIKMPQqYke]';
  c_near constant text := '[LABCFHIKMPQqYke,pbDT]*';
  c_no_loan constant text := '(?![oO])';
  c_terms constant text := concat_ws(
    '|',
    -- "Estimated value", "home value", "mkt val", "assessed valuation".
    c_kind || ',?[vu]', '[easgtmb]n',
    -- "Estimated ... value", "value is estimated", "value came in low".
    '[east][^~;]{0,4}v', 'v[^~;]{0,5}[ea]', 'v[LBF,]{0,4}s', 'v[BCIL]{0,3}H',
    -- "Value opinion", "opinion of its value", "value of the house".
    '[vn][eij]', '[eij][Lk]*F[^~;,]{0,3}[vnw]', 'vF[^~;,]{0,2}p',
    -- "Valued at", "tax assessment", "appraised amount", "market price", any source.
    'dA', 't[gs]', '[as][Mr]', '[em][mO]*r', 'z',
    -- "Property worth", "is worth", "worth of the house", "what it would be worth".
    '[empk]w', '[pq][BKL]*[BK]w', 'wF[^~;]{0,2}p', 'Q[^~;]{0,6}w'
  );
  c_figures constant text := concat_ws(
    '|',
    -- "Value: 450", "worth every bit of 450k", "450k in value", "val 450".
    '[vdnw](' || c_near || '[VWSN]|[^~;,]{0,6}[VWS]|[^~;]{0,6}V)',
    '[VWS]' || c_link || '*[vdnw]', 'uN',
    -- "Appraisal came in at 410k", "estimate 450k", "a 410k appraisal".
    '[ahsgemciub]' || c_near || '[VW]' || c_no_loan,
    '[VW]' || c_link || '?[ahsgemcibu]',
    -- "County says 320k", "I think 450k", "the house is 450k", "a 450k house".
    '[fyK]' || c_link || '*V' || c_no_loan,
    'p' || c_link || '*[BA]' || c_link || '*V' || c_no_loan, 'Vp(?![oOrx])',
    -- "Appraised in May at 450", "appraised for 450k".
    '[asd][^~;VWSN]{0,5}A[^~;]{0,2}[VWSN]', 'a[^~;VWSN]{0,5}F[^~;]{0,2}[VW]',
    -- "Came in at 410k", "the appraisal came in at 410", "has it at 320k".
    'CI[^~;,]{0,3}[VW]', '[qhgn]CIAN', '[Pe](q|L?p)[^~;,]{0,3}[VW]'
  );
begin
  return c_terms || '|' || c_figures;
end;
$$;

revoke all on function app.value_pattern() from public;

comment on function app.value_pattern() is
  'A pattern over the signs of a sentence that gives away what a property is worth.';
