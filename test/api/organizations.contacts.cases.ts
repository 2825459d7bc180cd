// What becomes of the contacts of an organization: every case of the rules as data.
// Contacts are known by their names here; `then` lists all that the organization has.
// Cases run as an upsert, as a batch's row and as a PATCH.
import { type Fields, contact } from '../setup/organizations.ts'

export type ContactCase = {
  when: string
  stored: Fields[]
  sent: Fields[] | null
  /** All contacts afterwards by name, or 'contact_conflict'. */
  then: Fields[] | 'contact_conflict'
}

const ann = (parts: Fields = {}) =>
  contact({ display_name: 'Ann', email: 'ann@bank.example', ...parts })
const bob = (parts: Fields = {}) =>
  contact({ display_name: 'Bob', email: 'bob@bank.example', ...parts })
const ref = (external_reference: string | null) => ({ external_reference })
const primary = (is_primary: boolean | null = true) => ({ is_primary })

const matching: ContactCase[] = [
  {
    when: 'they are new',
    stored: [],
    sent: [ann(ref('P-1')), bob(primary())],
    then: [ann(ref('P-1')), bob(primary())],
  },
  {
    when: 'none is sent',
    stored: [ann(ref('P-1')), bob()],
    sent: [],
    then: [ann(ref('P-1')), bob()],
  },
  {
    when: 'null is sent',
    stored: [ann(ref('P-1'))],
    sent: null,
    then: [ann(ref('P-1'))],
  },
  {
    when: 'another is sent',
    stored: [ann(ref('P-1'))],
    sent: [bob()],
    then: [ann(ref('P-1')), bob()],
  },
  {
    when: 'the reference is known and all else new',
    stored: [ann(ref('P-1'))],
    sent: [
      ann({
        ...ref('P-1'),
        display_name: 'Anna',
        email: 'anna@bank.example',
        phone: '(626) 555-0199',
        contact_type: 'other',
        other_label: 'Notary',
        is_primary: true,
      }),
    ],
    then: [
      ann({
        ...ref('P-1'),
        display_name: 'Anna',
        email: 'anna@bank.example',
        phone: '(626) 555-0199',
        contact_type: 'other',
        other_label: 'Notary',
        is_primary: true,
      }),
    ],
  },
  {
    when: 'the e-mail is known in another case',
    stored: [ann({ ...ref('P-1'), phone: '(626) 555-0199' })],
    sent: [ann({ display_name: 'Anna', email: 'ANN@Bank.example' })],
    then: [
      ann({
        ...ref('P-1'),
        display_name: 'Anna',
        email: 'ANN@Bank.example',
        phone: '(626) 555-0199',
      }),
    ],
  },
  {
    when: 'the e-mail is one\'s without a reference',
    stored: [ann()],
    sent: [ann(ref('P-1'))],
    then: [ann(ref('P-1'))],
  },
  {
    when: 'a null reference comes with a known e-mail',
    stored: [ann(ref('P-1'))],
    sent: [ann(ref(null))],
    then: [ann(ref('P-1'))],
  },
  {
    when: 'a null clears and what is left out stays',
    stored: [
      ann({ phone: '(626) 555-0199', contact_type: 'other', other_label: 'Notary' }),
      bob({ phone: '(626) 555-0198' }),
    ],
    sent: [ann({ phone: null, other_label: null }), bob({ display_name: 'Bobby' })],
    then: [ann(), bob({ display_name: 'Bobby', phone: '(626) 555-0198' })],
  },
]

const emails: ContactCase[] = [
  {
    when: 'the e-mail is one\'s with another reference',
    stored: [ann(ref('P-1'))],
    sent: [ann({ ...ref('P-2'), email: 'Ann@bank.example' })],
    then: 'contact_conflict',
  },
  {
    when: 'a known contact would get the e-mail of one with another reference',
    stored: [ann(ref('P-1')), bob(ref('P-2'))],
    sent: [ann({ ...ref('P-1'), email: 'bob@bank.example' })],
    then: 'contact_conflict',
  },
  {
    when: 'a known contact would get the e-mail of one without a reference',
    stored: [ann(ref('P-1')), bob()],
    sent: [ann({ ...ref('P-1'), email: 'BOB@bank.example' })],
    then: 'contact_conflict',
  },
  {
    when: 'one of several conflicts',
    stored: [ann(ref('P-1'))],
    sent: [bob(), ann(ref('P-2'))],
    then: 'contact_conflict',
  },
  {
    when: 'two swap their e-mails',
    stored: [ann(ref('P-1')), bob(ref('P-2'))],
    sent: [
      ann({ ...ref('P-1'), email: 'bob@bank.example' }),
      bob({ ...ref('P-2'), email: 'ann@bank.example' }),
    ],
    then: [
      ann({ ...ref('P-1'), email: 'bob@bank.example' }),
      bob({ ...ref('P-2'), email: 'ann@bank.example' }),
    ],
  },
  {
    when: 'one hands its e-mail to a new one with a reference',
    stored: [ann(ref('P-1'))],
    sent: [
      bob({ ...ref('P-2'), email: 'ann@bank.example' }),
      ann({ ...ref('P-1'), email: 'new@bank.example' }),
    ],
    then: [
      ann({ ...ref('P-1'), email: 'new@bank.example' }),
      bob({ ...ref('P-2'), email: 'ann@bank.example' }),
    ],
  },
  {
    when: 'one hands its e-mail to a new one without a reference',
    stored: [ann(ref('P-1'))],
    sent: [
      bob({ email: 'ann@bank.example' }),
      ann({ ...ref('P-1'), email: 'new@bank.example' }),
    ],
    then: [
      ann({ ...ref('P-1'), email: 'new@bank.example' }),
      bob({ email: 'ann@bank.example' }),
    ],
  },
]

const primaries: ContactCase[] = [
  {
    when: 'a new one is primary',
    stored: [ann(primary())],
    sent: [bob(primary())],
    then: [ann(), bob(primary())],
  },
  {
    when: 'a known one becomes primary',
    stored: [ann(primary()), bob()],
    sent: [bob(primary())],
    then: [ann(), bob(primary())],
  },
  {
    when: 'another becomes primary and the old one, sent too, says nothing',
    stored: [ann(primary())],
    sent: [ann(), bob(primary())],
    then: [ann(), bob(primary())],
  },
  {
    when: 'the primary one is sent and says nothing',
    stored: [ann(primary())],
    sent: [ann(), bob()],
    then: [ann(primary()), bob()],
  },
  {
    when: 'the primary one is sent as not primary',
    stored: [ann(primary()), bob()],
    sent: [ann(primary(false))],
    then: [ann(), bob()],
  },
  {
    when: 'the primary one is sent with null',
    stored: [ann(primary())],
    sent: [ann(primary(null))],
    then: [ann()],
  },
  {
    when: 'the primary one is sent as primary again',
    stored: [ann(primary()), bob()],
    sent: [ann(primary()), bob(primary(false))],
    then: [ann(primary()), bob()],
  },
]

export const contactCases = [...matching, ...emails, ...primaries]
