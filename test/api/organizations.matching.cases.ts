// Which organization a request means, and what it may not take: every case of the rules
// as data. `stored` are rows by nickname; a request either creates, updates one of them,
// or is refused with a code. Cases run as a request of their own and as a batch's row.
import type { Fields } from '../setup/organizations.ts'

export type MatchingCase = {
  when: string
  stored: Record<string, Fields>
  sent: Fields
  /** A nickname, 'created', or the code of an error. */
  gives: string
  /** What the record then has. */
  then?: Fields
}

const one = (parts: Fields) => ({ one: { name: 'Alpha', ...parts } })
const two = (first: Fields, second: Fields) => ({
  one: { name: 'Alpha', ...first },
  two: { name: 'Beta', ...second },
})
const ref = (external_reference: string | null) => ({ external_reference })
const number = { account_number: 'AC-1' }

const withKnownReference: MatchingCase[] = [
  {
    when: 'the reference is known, the name new',
    stored: one(ref('R-1')),
    sent: { ...ref('R-1'), name: 'Gamma' },
    gives: 'one',
    then: { ...ref('R-1'), name: 'Gamma' },
  },
  {
    when: 'the reference is one\'s, the number and name of none other',
    stored: one({ ...ref('R-1'), ...number }),
    sent: { ...ref('R-1'), ...number, name: 'Alpha' },
    gives: 'one',
  },
  {
    when: 'the reference is one\'s and the name another\'s with a reference',
    stored: two(ref('R-1'), ref('R-2')),
    sent: { ...ref('R-1'), name: 'Beta' },
    gives: 'name_conflict',
  },
  {
    when: 'the reference is one\'s and the name another\'s without a reference',
    stored: two(ref('R-1'), {}),
    sent: { ...ref('R-1'), name: 'Beta' },
    gives: 'name_conflict',
  },
  {
    when: 'the reference is one\'s and the number is tied to another reference',
    stored: two(ref('R-1'), { ...ref('R-2'), ...number }),
    sent: { ...ref('R-1'), ...number, name: 'Alpha' },
    gives: 'external_reference_conflict',
  },
  {
    when: 'the reference is one\'s and the number another\'s without a reference',
    stored: two(ref('R-1'), number),
    sent: { ...ref('R-1'), ...number, name: 'Alpha' },
    gives: 'one',
    then: { ...ref('R-1'), ...number },
  },
  {
    when: 'the reference is one\'s and several without a reference share the number',
    stored: { ...two(ref('R-1'), number), three: { name: 'Delta', ...number } },
    sent: { ...ref('R-1'), ...number, name: 'Alpha' },
    gives: 'one',
    then: number,
  },
  {
    when: 'the reference is one\'s, the number tied to another and the name a third\'s',
    stored: { ...two(ref('R-1'), { ...ref('R-2'), ...number }), three: { name: 'Delta' } },
    sent: { ...ref('R-1'), ...number, name: 'Delta' },
    gives: 'external_reference_conflict',
  },
]

const withNewReference: MatchingCase[] = [
  {
    when: 'nothing is known',
    stored: one({ ...ref('R-1'), ...number }),
    sent: { ...ref('R-9'), account_number: 'AC-9', name: 'Gamma' },
    gives: 'created',
    then: { ...ref('R-9'), account_number: 'AC-9' },
  },
  {
    when: 'the reference is new and the number one\'s without a reference',
    stored: one(number),
    sent: { ...ref('R-9'), ...number, name: 'Gamma' },
    gives: 'one',
    then: { ...ref('R-9'), ...number, name: 'Gamma' },
  },
  {
    when: 'the reference is new and the number tied to another reference',
    stored: one({ ...ref('R-1'), ...number }),
    sent: { ...ref('R-9'), ...number, name: 'Gamma' },
    gives: 'external_reference_conflict',
  },
  {
    when: 'the reference is new and the number and the name are tied to another one',
    stored: one({ ...ref('R-1'), ...number }),
    sent: { ...ref('R-9'), ...number, name: 'Alpha' },
    gives: 'external_reference_conflict',
  },
  {
    when: 'the reference is new, the number tied to another and the name free to take',
    stored: two({ ...ref('R-1'), ...number }, {}),
    sent: { ...ref('R-9'), ...number, name: 'Beta' },
    gives: 'external_reference_conflict',
  },
  {
    when: 'the reference is new and several share the number',
    stored: two(number, number),
    sent: { ...ref('R-9'), ...number, name: 'Gamma' },
    gives: 'ambiguous_match',
  },
  {
    when: 'the reference is new, the number is one\'s and the name another\'s',
    stored: two(number, {}),
    sent: { ...ref('R-9'), ...number, name: 'Beta' },
    gives: 'name_conflict',
  },
  {
    when: 'the reference and the number are new and the name is one\'s without a reference',
    stored: one({}),
    sent: { ...ref('R-9'), ...number, name: 'Alpha' },
    gives: 'one',
    then: { ...ref('R-9'), ...number },
  },
  {
    when: 'the reference is new and the name tied to another one',
    stored: one(ref('R-1')),
    sent: { ...ref('R-9'), name: 'Alpha' },
    gives: 'name_conflict',
  },
]

const withoutReference: MatchingCase[] = [
  {
    when: 'without a reference, the number is one\'s that has a reference',
    stored: one({ ...ref('R-1'), ...number }),
    sent: { ...number, name: 'Gamma' },
    gives: 'one',
    then: { ...ref('R-1'), name: 'Gamma' },
  },
  {
    when: 'without a reference, the number is one\'s that has none either',
    stored: one(number),
    sent: { ...number, name: 'Gamma' },
    gives: 'one',
    then: { ...ref(null), name: 'Gamma' },
  },
  {
    when: 'without a reference, the number is one\'s and the name another\'s',
    stored: two(number, ref('R-2')),
    sent: { ...number, name: 'Beta' },
    gives: 'name_conflict',
  },
  {
    when: 'without a reference, several share the number and the name is one of theirs',
    stored: two({ ...ref('R-1'), ...number }, number),
    sent: { ...number, name: 'Beta' },
    gives: 'ambiguous_match',
  },
  {
    when: 'without a reference, the number is new and the name one\'s that has a reference',
    stored: one(ref('R-1')),
    sent: { ...number, name: 'Alpha' },
    gives: 'one',
    then: { ...ref('R-1'), ...number },
  },
  {
    when: 'without a reference, the name is one\'s that has none either',
    stored: one({}),
    sent: { name: 'Alpha' },
    gives: 'one',
    then: ref(null),
  },
  {
    when: 'a null reference comes with the name of one that has a reference',
    stored: one(ref('R-1')),
    sent: { ...ref(null), name: 'Alpha' },
    gives: 'one',
    then: ref('R-1'),
  },
  {
    when: 'a null number comes with the name of one that has a number',
    stored: one(number),
    sent: { account_number: null, name: 'Alpha' },
    gives: 'one',
    then: { account_number: null },
  },
  {
    when: 'the name differs in case alone',
    stored: one({}),
    sent: { name: 'ALPHA' },
    gives: 'created',
  },
  {
    when: 'the name has spaces around it',
    stored: one({}),
    sent: { name: '  Alpha ' },
    gives: 'one',
    then: { name: 'Alpha' },
  },
]

export const upsertCases = [...withKnownReference, ...withNewReference, ...withoutReference]

/** PATCH of `one`. */
export const patchCases: MatchingCase[] = [
  {
    when: 'the name is another\'s with a reference',
    stored: two({}, ref('R-2')),
    sent: { name: 'Beta' },
    gives: 'conflict',
  },
  {
    when: 'the name is another\'s without a reference',
    stored: two(ref('R-1'), {}),
    sent: { name: ' Beta ' },
    gives: 'conflict',
  },
  {
    when: 'the reference is another\'s',
    stored: two({}, ref('R-2')),
    sent: ref('R-2'),
    gives: 'conflict',
  },
  {
    when: 'the number is tied to another\'s reference',
    stored: two(ref('R-1'), { ...ref('R-2'), ...number }),
    sent: number,
    gives: 'conflict',
  },
  {
    when: 'the number is tied to a reference and this one has none',
    stored: two({}, { ...ref('R-2'), ...number }),
    sent: number,
    gives: 'conflict',
  },
  {
    when: 'the number is another\'s without a reference',
    stored: two(ref('R-1'), number),
    sent: number,
    gives: 'one',
    then: { ...ref('R-1'), ...number },
  },
  {
    when: 'the keys are its own',
    stored: one({ ...ref('R-1'), ...number }),
    sent: { ...ref('R-1'), ...number, name: 'Alpha' },
    gives: 'one',
  },
  {
    when: 'it gets a new reference in the place of the old',
    stored: one(ref('R-1')),
    sent: ref('R-9'),
    gives: 'one',
    then: ref('R-9'),
  },
  {
    when: 'its reference is cleared',
    stored: one(ref('R-1')),
    sent: ref(null),
    gives: 'one',
    then: ref(null),
  },
]
