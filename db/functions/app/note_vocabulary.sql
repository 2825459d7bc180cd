-- The words that decide whether a sentence gives a value away, each with one sign for
-- the part it plays. Patterns over signs stay small, and so fast: whole sentences are
-- matched as strings of these letters, everything else being an x. Small letters are
-- about value, capitals about amounts and the small talk around them. One constant for
-- the planner, hence jsonb.
create or replace function app.note_vocabulary()
returns jsonb
language sql
immutable
parallel safe
set search_path = ''
as $$
  select jsonb_object_agg_unique(listed.word, lists.sign)
  from (
    values
    -- Values, as people spell them. "Val" alone may be a person.
    ('v', 'value values valu vaule vlaue'),
    ('u', 'val vals'),
    ('n', 'valuation valuations valuing revaluation revaluations'),
    ('d', 'valued revalued overvalued undervalued'),
    ('w', 'worth'),
    -- A portal, a model or a broker that values (app.fold_phrases puts this word in).
    ('z', 'avm'),
    -- Who or what arrives at a value, and on which basis.
    ('e', 'estimated estimate estimates estimating estimation estimations est estd estm
      estim estimted etimated estmated'),
    ('a', 'appraise appraised appraises appraising apprd apprsd apraised appriased
      apprased apprasied'),
    ('h', 'appraisal appraisals apprsl appraiser appraisers appr evaluation
      evaluations'),
    ('s', 'assess assessed assesses assessing assd reassessed assesed asessed taxable'),
    ('g', 'assessment assessments assmt reassessment reassessments assesment
      asessment'),
    ('t', 'tax taxed'),
    ('m', 'market markets mkt mrkt marekt'),
    ('b', 'asis'),
    ('i', 'opinion opinions'),
    ('j', 'conclusion indication range ranges statement idea determination finding'),
    ('c', 'comp comps comparable comparables analysis assessor assessors trulia
      housecanary propstream ballpark av mv ev omv tmv tav sev aiv'),
    ('y', 'county'),
    ('k', 'fair current present resale retail wholesale liquidation disposition
      equalized equalised cash concluded indicated opined target desired anticipated
      projected expected probable likely presumed perceived reported stated declared
      true actual insurable replacement owner owners borrower borrowers overall
      todays'),
    ('p', 'property properties prop house houses hse home homes place condo condominium
      townhouse townhome duplex land lot site parcel building unit residence dwelling
      apartment estate collateral subject farm ranch cabin'),
    ('f', 'sell resell fetch fetches'),
    -- What owns a figure that is none of a value's.
    ('o', 'fee fees loan loans mortgage mortgages purchase purchases contract contracts
      sold rent rents rented rental lease leases leased taxes cost costs deposit
      deposits payment payments budget budgets repair repairs rehab invoice invoices
      bill bills billed charge charges charged paid pay pays balance payoff lien liens
      heloc premium dues income salary offer offers offered asking listed lists earnest
      escrow retainer quote quotes quoted debt commission refund reserve reserves bid
      bids borrow borrowing borrowed coverage deductible owe owes owed bought refinance
      refi refinancing installment installments policy'),
    ('O', 'sale sales selling list listing'),
    ('r', 'price prices priced pricing'),
    -- Small talk between a figure and what it measures.
    ('A', 'at around about near over above under below approx approximate approximately
      roughly circa apx appx'),
    ('B', 'is isnt was wasnt are were be been being will would should could can may
      might must now currently still only really actually easily probably definitely
      maybe well surely certainly seems seemed looks looked appears thought itself
      today'),
    ('C', 'came come comes coming'),
    ('F', 'of for to on as by with from per regarding'),
    ('H', 'more less greater lower higher high low mid upper'),
    ('I', 'in'),
    ('K', 'think thinks thinking believe believes believed guess guesses guessed
      guessing'),
    ('M', 'amount amounts figure figures number numbers total totals'),
    ('P', 'put puts peg pegs pegged has have had having see sees'),
    ('q', 'it they them this that which these those'),
    ('Q', 'what how'),
    ('L', 'a an the its there he she we i you his her our your my their who both each
      am do does did say says said saying show shows showed showing shown give gives
      gave given get gets got getting go goes going went feel feels felt expects expect
      expecting hoping hopes need needs needed want wants wanted told tells run runs
      ran running lands landed landing hit hits totaled totaling equal equals stand
      stands sit sits sitting ranging ranged start starts fall falls falling state
      states report reports reporting set sets indicate indicates indicating suggest
      suggests suggested suggesting support supports supported supporting point points
      pointing return returns returned back between up nearly almost close closer
      upward upwards north south perhaps possibly somewhere anywhere just even then
      least right most than max min maximum minimum exactly ish plus minus or and
      through thru till until into out avg average latest last recent recently previous
      prior new old year month week dated date dollar dollars usd us bucks online done
      completed finished so also again if not no pretty quite some way all too but yes
      ok honestly apparently supposedly according based sometime final result results
      one two three four five six seven eight nine ten eleven twelve thirteen fourteen
      fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty
      seventy eighty ninety half quarter few several couple'),
    -- Figures, as app.fold_figures and words tell them.
    ('V', '#v hundred hundreds thousand thousands million millions'),
    ('S', '#s'),
    ('D', '#d'),
    -- Where patterns may be told not to reach across.
    ('~', '~'),
    (';', ';'),
    (',', ',')
  ) as lists (sign, words)
  cross join string_to_table(translate(lists.words, E'\n', ' '), ' ') as listed (word)
  where listed.word <> '';
$$;

revoke all on function app.note_vocabulary() from public;

comment on function app.note_vocabulary() is
  'The words that matter in a note and the sign for the part that each one plays.';
