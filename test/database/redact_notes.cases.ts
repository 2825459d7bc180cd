// Wordings that a note may or may not hold, each group with the reason for its fate.
// One wording a line: `removed` leaves nothing of it, `kept` leaves it as it is; in
// `mixed` stands what remains of a longer note. Figures are invented.

export type Group = readonly [reason: string, notes: readonly string[]]
export type Mixed = readonly [reason: string, cases: readonly (readonly [string, string | null])[]]

const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const removed: readonly Group[] = [
  ['an estimated value, with its figure or without', lines(`
    The estimated value is $450,000.
    Estimated value: 450k
    ESTIMATED VALUE 450000
    Estimated Property Value: $450,000.00
    estimated home value 450k
    estimated current market value of $450k
    Estimated value is unknown.
    value is estimated at 450k
    Value estimated by owner at 450
    Borrower's estimate of value is $450,000
    estimate of the home's value
    Value estimate
    Values est. 450
    estimated worth 450k
    I estimate it at 450k
    Owner estimates it at 450k
    estimated at $450,000
    an estimate: $450,000
    Borrower est. 450k
    ballpark 450k
  `)],
  ['a market value or price', lines(`
    market value
    Fair market value is 450.
    open market value
    Market: 450k
    market price is 450k
    estimated market price
    market valuation
    market and assessed value
  `)],
  ['an assessed or taxable value, or a tax assessment', lines(`
    assessed value 320000
    Assessed for $320,000
    assessed at 320k
    assessed for taxes at 320k
    county assessed it at 320,000
    County has it at 320k
    assessment: $320,000
    The 2023 assessment was 320,000
    Tax assessment 320k
    tax assessment is on file
    property tax assessment of $320,000
    tax-assessed value
    tax assessor has it at $320,000
    assessor's value: 320
    taxable value 310,000
    taxable: 310,000
    Tax value 310k
    equalized value 160k
  `)],
  ['an appraised value, or what it appraised for', lines(`
    appraised value
    Appraised value to be determined.
    appraised for 450k
    appraised at 450
    appraised @ 450k
    Appraises at 450k
    needs to appraise for at least $500,000
    must appraise at or above 500k
    appraised last year for 410,000
    last appraised in 2019 for $410,000
    Appraised by John at 450k
    house appraised at $410k in 2021
    appraisal came in at 410,000
    The appraisal came in at 410
    prior appraisal $410,000
    A 2019 appraisal put it at 410k
    evaluation came in at 410k
    it came in at 410
  `)],
  ['a value as is or after repairs', lines(`
    As-is value $430,000
    as is value 430k
    (as-is) value
    "as is" value of 430
    as-is: 430k, after repairs: 500k
    After repair value 500k
    after-repair value: 500000
    After repairs value will be 500k
    after-rehab value 500
    as repaired $500k
    as-completed: $500k
    After repaired: 500k
  `)],
  ['an opinion of value or of price', lines(`
    opinion of value 450k
    opinion of market value
    opinion of its value
    opinions as to value
    value opinion: 450
    Owner's opinion: 450k
    Value conclusion
    indication of value
    value range 400-450
    broker price opinion 450k
    Broker's price opinion: 450
    price-opinion
    broker opinion of value
    realtor's price opinion
    comparative market analysis
  `)],
  ['an automated or a portal\'s estimate', lines(`
    AVM 450k
    AVMs are all over the place
    Automated valuation model says 450k
    Zestimate 455k
    The Zestimate® is 455,000
    Zestimate™ 455k
    Zestimates vary
    Zillow says 455k
    Zillow.com shows 455
    see https://www.zillow.com/homedetails/1
    Zillow
    Redfin: $460,000
    Redfin estimate 460k
    Zillow/Redfin average 457k
    Realtor.com has it at 460k
    Per Realtor.Com, 460k
    realtor . com 460
    Realtor dot com says 460k
    Trulia 450k
  `)],
  ['an abbreviation', lines(`
    Est. value: 450k
    est val 450
    Est. val. $450,000
    EST. VAL.
    est. market val. 450k
    Mkt value 450k
    mkt. val. 450k
    m.v. 450k
    ARV 500k
    A.R.V. is 500k
    FMV
    F.M.V.: 450
    FMV/ARV
    EMV $450k
    B.P.O. 450k
    BPO came in at 450
    A.V.M. at 450
    A V M 450k
    CMA says 450k
    AV 320,000
    MV: 450k
    Appr. value 450k
    Ass'd val. 320k
    est'd value 450k
    prop. val. 450k
    val: 450
  `)],
  ['what the property is worth', lines(`
    the house is worth about 450k
    The home's worth 450k
    home’s worth is 450k
    property worth 450k
    The property is worth 450
    the property, which is worth 450k,
    the place is easily worth half a million
    What is the house worth
    Borrower asked what the property is worth.
    how much is it worth
    worth of the property
    it’s worth at least 450
    worth about $450,000
    worth every penny of 450k
    home is worth more than the loan
    The house is $450,000.
    it's a 450k house
    Would sell for 450k
  `)],
  ['a value or a valuation with its figure', lines(`
    value: $450,000
    Value - 450,000
    Value = 450k
    value approx. 450k
    value ~450k
    value (450k)
    Value is 450 or so
    values range from 400k to 450k
    value between 400 and 450
    450k value
    $450,000 in value
    450k is what it is worth
    We need a value of 450
    value must be 500k
    Value came in low.
    Value is less than the purchase price 500,000
    Value, as of 5/1/2024, is $450,000
    The value of the Smith property is 450k
    value of this home
    valued at $450,000
    house valued 450k
    bank values the home at 450k
    valuation came in at 410,000
    valuation of 410,000
    home value
    property values are dropping here
    comps support 450k
    we think 450k
  `)],
  ['a figure written in another way', lines(`
    value is $1.2 million
    value is 1.2M
    value $1.2mm
    value €450.000
    value 450 000
    value 450'000
    value USD 450,000
    value 450K-475K
    value $4xx,xxx
    value is half a million
    value of four hundred fifty thousand
    value: mid six figures
    value is in the low 400s
  `)],
  ['any dash or none', lines(`
    market-value
    the as\u2010is value
    the as\u2011is value
    the as\u2012is value
    the as\u2013is value
    the as\u2014is value
    the as\u2212is value
    the as\uff0dis value
    as — is value
    estimated_value=450000
    estimated/value
    marketvalue: 450000
    estimatedValue: 450000
    value—450k
  `)],
  ['any kind of space', lines(`
    estimated\u00a0value
    estimated\u2003value
    estimated\u2009value
    estimated\u202fvalue
    estimated\u3000value
    estimated\u200bvalue
    estimated\u2060value
    estimated\tvalue
    estimated  value
    estim\u200bated val\u200bue
    esti\u00admated value
    Estimated&nbsp;value 450k
    v a l u e 450k
    m a r k e t v a l u e
  `)],
  ['letters in disguise', lines(`
    ｅｓｔｉｍａｔｅｄ　ｖａｌｕｅ ４５０ｋ
    \u0435stim\u0430ted v\u0430lue
    Z\u0435stim\u0430te 455k
    éstimated válue
    𝐞𝐬𝐭𝐢𝐦𝐚𝐭𝐞𝐝 𝐯𝐚𝐥𝐮𝐞
    ᴇꜱᴛɪᴍᴀᴛᴇᴅ ᴠᴀʟᴜᴇ
    *estimated* **value**
    <b>Estimated value:</b> $450,000
    etimated value
    appriased value
    assesed value
  `)],
  ['a figure in a sentence that has more to say', lines(`
    purchase price 500,000 but value is 450k
    loan 300k on a 450k value
    We value your business, and the estimated value is 450k.
    Call first; estimated value 450k
    est. value 450k, fee $450
    The U.S. bank, i.e. Acme Inc., says approx. value is $1.2 mil.
    Fort Worth home, worth 450k.
  `)],
]

export const kept: readonly Group[] = [
  ['value that is none of a property\'s', lines(`
    This is great value for money!
    It's a good value for the fee of $450.
    We value your business.
    We greatly value your partnership.
    We value honesty and speed.
    The owner values privacy
    A valued client of ours since 2019.
    Thank you, valued partner!
    Value-added service
    values-based team
    our core values
    Face value
    loan-to-value 80%
    There is value in speed.
    Please note the value date.
    valuable items in the house
  `)],
  ['names', lines(`
    Meet at 450 Market Street.
    Marketplace
    1 Market Plaza
    The home is in Fort Worth, TX 76102.
    Ft. Worth 76102
    Lake Worth 33460
    Leavenworth
    Mr. Worth will open the door.
    Worthington Ave 12
    Value Street 12
    Client is Value Appraisal LLC.
    Valuation Services Inc.
    Val will open the door
    Call Val at 555-1234
    Est. 1985
    Orange County 92865
    Contact jane@redfin.com for access.
  `)],
  ['worth that is none of a property\'s', lines(`
    worth noting that the dog bites
    It's worth a call.
    It is worth it
    It's worth the extra fee.
    house worth a visit
    property is worth seeing
    $500 worth of repairs
    For what it's worth, the gate sticks.
    Net worth
    Worthwhile
  `)],
  ['things that are estimated', lines(`
    Estimated delivery is Friday.
    Estimated delivery date 12/1/2024
    Estimated fee $450
    estimated turnaround 5 days
    Estimated closing date 5/12/2024
    Estimated square footage 2500
    Estimated repairs $45,000
    Repairs are estimated at $45,000
    Estimated loan amount $300,000
    Estimated purchase price 500,000
    Estimated rent $2,000
    We estimate 5 days
    The estimate is $450
    Please estimate your arrival
  `)],
  ['fees', lines(`
    The fee is $450.
    Appraisal fee is $500.
    the appraisal costs $500
    Appraisal: $500
    Rush fee $150
    Quote of 450 accepted
    HOA dues $450
  `)],
  ['loans', lines(`
    loan amount $300,000
    Loan amount is estimated at $300,000
    Loan: 300k
    Appraisal for $300,000 loan
    approved for a mortgage of 300,000
    Down payment $50,000
    Current balance $300,000
    Loan number 123456789
  `)],
  ['prices', lines(`
    Purchase price is $500,000
    contract price $500k
    Under contract for $500,000
    Sales price 500000
    List price 500,000
    Asking price $500,000
    on the market for 450,000
    Borrower paid $400,000 in 2019
    Sold for 400,000
    Appraisal for purchase price 500,000
  `)],
  ['rents and taxes', lines(`
    rent $2,000/month
    Market rent is $2,000/month.
    rental income $24,000 a year
    property taxes are $12,000
    Taxes are assessed at $4,000
    The tax bill is $4,500
    Tax ID 12-3456789
    special assessment $12,000
    HOA assessment $200
  `)],
  ['the work itself', lines(`
    Please order the appraisal for 12345 Main Street.
    The house was appraised by John.
    Needs to be appraised by Friday
    Appraisal due 5/12/2024
    Appraisal order 123456
    appraisal #123456
    Appraisal on 5/12 at 1200 hours
    appraiser to call 555-123-4567
    valuation report needed
    Valuation date 5/12/2024
    Assessment of the damage needed
    needs assessment of access
    assessor's parcel number 123-456
    Assessor's parcel number 123456789
    Tax assessor's office is closed
    As-is condition.
    Sold as is.
    Inspect after repairs are done.
    market conditions form
    3 comps please
    Comps within 12 months
    Second opinion needed
    sales comparison grid
  `)],
  ['numbers of other things', lines(`
    Gate code 1234
    alarm code 45678
    Call 24 hours before.
    House is at 12345 Oak Street.
    The house is 2,500 sq ft.
    The property is 12,000 sf
    property is 12 miles out
    Lot size 12,000
    MLS# 12345
    Has 12 units
    EV 240 volt charger
    came in at 5 pm
    credit score 750
    I think 5 days is fine
  `)],
  ['text without words', lines(`
    -
    ...
    👍
    日本語のメモ。
    Café naïve
  `)],
]

export const mixed: readonly Mixed[] = [
  ['a guilty sentence goes, those around it stay', [
    ['Call first. Estimated value is $450,000. Gate 12.', 'Call first. Gate 12.'],
    ['Estimated value is $450,000. Call first.', 'Call first.'],
    ['Call first. Estimated value is $450,000.', 'Call first.'],
    ['Call first! Zillow: 450k! Gate 12!', 'Call first! Gate 12!'],
    ['Is it vacant? What is it worth? Who opens?', 'Is it vacant? Who opens?'],
    ['Call first. (Estimated value 450k.) Gate 12.', 'Call first. Gate 12.'],
    ['Call first (estimated value 450k). Gate 12.', 'Gate 12.'],
    ['He said "the house is worth 450k." Call first.', 'Call first.'],
    ['Call first.Estimated value is 450k.Gate 12.', 'Call first.Gate 12.'],
    ['Fee is $450. Value is $450,000. Loan is $300,000.', 'Fee is $450. Loan is $300,000.'],
    ['The appraisal fee is $500. It came in at $410,000.', 'The appraisal fee is $500.'],
    ['Café naïve. Zillow 450k. Ünder.', 'Café naïve. Ünder.'],
    ['👍 Call first. AVM 450k 👍', '👍 Call first.'],
    ['Value: 450k. Access: call first.', 'Access: call first.'],
  ]],
  ['neither an abbreviation nor a decimal point ends a sentence', [
    ['The home on Oak St. has an est. val. of approx. $1.2 million. Call Mr. Smith.', 'Call Mr. Smith.'],
    ['Meet at No. 12. The value is $1.2 mil. (see file no. 12). Dog inside.', 'Meet at No. 12. Dog inside.'],
    ['The U.S. bank says the value is 450k. Call first.', 'Call first.'],
    ['Mr. and Mrs. J. R. Jones e.g. think it is worth 450k. Call.', 'Call.'],
    ['Fee: $450.00. Value: $450,000.00. Rush: $50.00.', 'Fee: $450.00. Rush: $50.00.'],
    ['Estimated value is… 450,000. Call.', 'Call.'],
    ['The appraised value was $410,000 vs. Zillow at 455k. Call.', 'Call.'],
  ]],
  ['an abbreviation may end one where the next word begins one', [
    ['Client is Acme Inc. Estimated value is 450k. Call.', 'Client is Acme Inc. Call.'],
    ['It is 12 Main St. Estimated value 450k. Call.', 'It is 12 Main St. Call.'],
    ['Call at 5 p.m. The value is 450k.', 'Call at 5 p.m.'],
    ['Lot is 5000 sq. ft. Zillow says 450k. Call.', 'Lot is 5000 sq. ft. Call.'],
  ]],
  ['a sentence runs over a line break', [
    ['The estimated\nvalue is $450,000. Call first.', 'Call first.'],
    ['Estimated value:\n$450,000\nCall first', 'Call first'],
    ['The value is estimated at\n$450,000', null],
    ['Dog inside. The tax\nassessment is $320,000. Call.', 'Dog inside. Call.'],
    ['Dog inside. Assessed\r\nvalue is 320k.\r\nCall.', 'Dog inside.\r\nCall.'],
    ['Borrower says the home\nis worth 450k. Call.', 'Call.'],
    ['The borrower told us on the phone\nthat the value is 450,000. Call.', 'Call.'],
    ['The client believes the current\nestimate is 450,000. Call.', 'Call.'],
    ['The value, as stated by the\nowner, is about\n450k. Thanks.', 'Thanks.'],
    ['The value per\nZillow is $450,000. Call.', 'Call.'],
    ["The estimated value for\nJohn Smith's home is 450,000. Call.", 'Call.'],
    ['The esti-\nmated value is 450k. Call.', 'Call.'],
    ['THE ESTIMATED VALUE\nOF THE HOME IS 450,000. CALL.', 'CALL.'],
    ['Dog inside. The last appraisal came\nin at $410,000. Call.', 'Dog inside. Call.'],
    ['Value\n$450,000\nCall first', 'Call first'],
    ['Value is $450,\n000. Call.', 'Call.'],
  ]],
  ['lines of their own are not taken together', [
    ['Gate code 1234\nEstimated value 450,000\nCall first', 'Gate code 1234\nCall first'],
    ['Gate code 1234\nestimated value 450,000\nCall first', 'Gate code 1234\nCall first'],
    ['gate code 1234\nzillow says 455k\ncall first', 'gate code 1234\ncall first'],
    ['GATE CODE 1234\nEST. VALUE 450,000\nCALL FIRST', 'GATE CODE 1234\nCALL FIRST'],
    ['Call Bob at 555-1234\nestimated value: 450k.\nThanks', 'Call Bob at 555-1234\nThanks'],
    ['zillow checked\ncall borrower first', 'call borrower first'],
    ['Estimated value pending\n123 Main St', '123 Main St'],
    ['loan 300k\nvalue 450k\nfee 500', 'loan 300k\nfee 500'],
    ['Loan: $300,000\nEst. value: $450,000\nFee: $450', 'Loan: $300,000\nFee: $450'],
    ['Loan amount\n$300,000\nEstimated value\n$450,000\nFee\n$450', 'Loan amount\n$300,000\nFee\n$450'],
    ['Call first\r\nEst. value 450k\r\nUse side door', 'Call first\r\nUse side door'],
    ['Call first.\u2028AVM 450k\u2028Dog.', 'Call first.\u2028Dog.'],
    ['Market: 450k\nMarket rent: 2,500', 'Market rent: 2,500'],
  ]],
  ['a list line goes whole, marker and all', [
    ['- Call first\n- Estimated value 450k\n- Dog', '- Call first\n- Dog'],
    ['* Call first\n* AVM 450k\n* Dog', '* Call first\n* Dog'],
    ['• Call first\n• AVM 450k\n• Dog', '• Call first\n• Dog'],
    ['– Call first\n– AVM 450k', '– Call first'],
    ['1. Call first\n2. AVM 450k\n3. Dog', '1. Call first\n3. Dog'],
    ['1) Call first\n2) AVM 450k\n3) Dog', '1) Call first\n3) Dog'],
    ['a) Call first\nb) AVM 450k\nc) Dog', 'a) Call first\nc) Dog'],
    ['-Call first\n-AVM 450k', '-Call first'],
    ['- Call first. Est. value 450k.\n- Dog', '- Dog'],
    ['- The estimated value\n  is 450,000\n- Dog', '- Dog'],
    ['a\n  - b\n  - AVM 450k\n  - c\nd', 'a\n  - b\n  - c\nd'],
    ['- Estimated value 450k', null],
    ['Notes:\n- AVM 450k', 'Notes:'],
    ['Estimated value: 450k • Call first • Dog', '• Call first • Dog'],
  ]],
  ['the figure goes with what it belongs to', [
    ['Zestimate? 455k.', null],
    ['What is it worth? About 450,000. Call first.', 'Call first.'],
    ['Do you know the value? It is 450k. Call first.', 'Call first.'],
    ['We checked the Zestimate. It says 455k for this one. Dog.', 'Dog.'],
    ["450k. That's the Zestimate. Call first.", 'Call first.'],
    ['$450,000\nper Zillow\nCall first', 'Call first'],
    ['Value:\n\n$450,000\n\nCall first', 'Call first'],
    ['Values? 400k. 450k. 500k. Call.', 'Call.'],
    ['Estimated value:\n- House: 400,000\n- Barn: 90,000\n- Gate code 1234', '- Gate code 1234'],
    ['Is the appraisal done? Yes, 410,000.', null],
  ]],
  ['figures of other things stay beside it', [
    ['AVM attached. Purchase price is $500,000.', 'Purchase price is $500,000.'],
    ['Zillow is high. Loan is 300,000.', 'Loan is 300,000.'],
    ['See the Zestimate. Call 555-123-4567.', 'Call 555-123-4567.'],
    ['Zestimate 455k. At 1200 the dog is fed.', 'At 1200 the dog is fed.'],
    ['Appraisal\n$450 fee\nCall first', 'Appraisal\n$450 fee\nCall first'],
    ['As-is: 430k\nAs-repaired: 500k\nRepairs: 45k', 'Repairs: 45k'],
  ]],
  ['one gap stays between what stays', [
    ['First.\n\nThe value is 450k.\n\nLast.', 'First.\n\nLast.'],
    ['First. Est. value 450k.\n\nLast.', 'First.\n\nLast.'],
    ['First.\n\nEst. value 450k. Last.', 'First.\n\nLast.'],
    ['First.\nEst. value 450k. Last.', 'First.\nLast.'],
    ['First. Est. value 450k.\nLast.', 'First.\nLast.'],
    ['First.  The value is 450k.  Last.', 'First.  Last.'],
    ['First.\tAVM 450k.\tLast.', 'First.\tLast.'],
    ['First.\u00a0AVM 450k.\u00a0Last.', 'First.\u00a0Last.'],
    ['First. The value is 450k.   ', 'First.'],
    ['\n\nThe value is 450k.\n\nLast.\n\n', 'Last.\n\n'],
    ['  First.  ', '  First.  '],
    ['First.\r\n\r\n  Second\u00a0one\r\n', 'First.\r\n\r\n  Second\u00a0one\r\n'],
  ]],
  ['nothing left is null', [
    ['', null],
    [' \n\t\u00a0', null],
    ['* AVM 450k\n* Zillow 455k', null],
    ['- \n- AVM 450k', null],
    ['Estimated value 450k !!!', null],
  ]],
]
