// The rules of the directory once more, as plain code over lists in memory: what a
// property test holds the database against. Written for reading, not for speed, and
// from the rules, not from the SQL. Bodies are as the schema lets them through.

export type ContactBody = {
  external_reference?: string | null
  display_name: string
  email: string
  phone?: string | null
  contact_type: string
  is_primary?: boolean | null
}

export type OrganizationBody = {
  external_reference?: string | null
  name: string
  client_type: string
  account_number?: string | null
  phone?: string | null
  email?: string | null
  website?: string | null
  address_line1?: string | null
  city?: string | null
  state?: string | null
  postal_code?: string | null
  notes?: string | null
  is_active?: boolean | null
  contacts?: ContactBody[] | null
}

export type ModelContact = Required<ContactBody> & { is_primary: boolean }
export type ModelOrganization = Required<Omit<OrganizationBody, 'is_active' | 'contacts'>> & {
  is_active: boolean
  contacts: ModelContact[]
}

export type Outcome =
  | { action: 'created' | 'updated'; organization: ModelOrganization }
  | { action: 'error'; code: string }

export type Directory = ModelOrganization[]

const required = [
  'phone',
  'email',
  'website',
  'address_line1',
  'city',
  'state',
  'postal_code',
] as const

const refuse = (code: string): Outcome => ({ action: 'error', code })

export function upsert(directory: Directory, body: OrganizationBody): Outcome {
  const match = findMatch(directory, body)
  if (typeof match === 'string') return refuse(match)
  const conflict = conflictOf(directory, match, body)
  if (conflict) return refuse(conflict)

  const contacts = mergeContacts(match?.contacts ?? [], body.contacts ?? [])
  if (contacts === 'contact_conflict') return refuse(contacts)
  if (lacks({ ...blank, ...body })) return refuse('validation_error')

  const { external_reference, ...fields } = body
  const sent = external_reference ? body : fields
  return save(directory, match, sent, contacts)
}

export function patch(
  directory: Directory,
  organization: ModelOrganization,
  body: Partial<OrganizationBody>,
): Outcome {
  const takesReference = others(directory, organization).some(
    (other) => body.external_reference && other.external_reference === body.external_reference,
  )
  if (takesReference || conflictOf(directory, organization, body)) return refuse('conflict')

  const contacts = mergeContacts(organization.contacts, body.contacts ?? [])
  if (contacts === 'contact_conflict') return refuse(contacts)
  if (lacks({ ...organization, ...body })) return refuse('validation_error')
  return save(directory, organization, body, contacts)
}

function findMatch(
  directory: Directory,
  body: OrganizationBody,
): ModelOrganization | undefined | string {
  const { external_reference: reference, account_number: number, name } = body
  const known = directory.find((one) => reference && one.external_reference === reference)
  if (known) return known

  const isAnother = (one: ModelOrganization) => reference && one.external_reference
  const [holder, ...more] = directory.filter((one) => number && one.account_number === number)
  if (more.length > 0) return 'ambiguous_match'
  if (holder) return isAnother(holder) ? 'external_reference_conflict' : holder

  const namesake = directory.find((one) => one.name === name)
  return namesake && isAnother(namesake) ? 'name_conflict' : namesake
}

function conflictOf(
  directory: Directory,
  self: ModelOrganization | undefined,
  body: Partial<OrganizationBody>,
): string | null {
  const rest = others(directory, self)
  const isTied = rest.some(
    (other) =>
      body.account_number &&
      other.account_number === body.account_number &&
      other.external_reference,
  )
  if (isTied) return 'external_reference_conflict'
  return rest.some((other) => other.name === body.name) ? 'name_conflict' : null
}

const others = (directory: Directory, self: ModelOrganization | undefined) =>
  directory.filter((other) => other !== self)

const lacks = (merged: Partial<OrganizationBody>): boolean =>
  merged.client_type !== 'lender' && required.some((field) => !merged[field])

const blank = {
  external_reference: null,
  account_number: null,
  phone: null,
  email: null,
  website: null,
  address_line1: null,
  city: null,
  state: null,
  postal_code: null,
  notes: null,
  is_active: true,
}

function save(
  directory: Directory,
  old: ModelOrganization | undefined,
  body: Partial<OrganizationBody>,
  contacts: ModelContact[],
): Outcome {
  const merged = { ...blank, ...old, ...body, contacts } as ModelOrganization
  merged.is_active ??= true
  if (!old) {
    directory.push(merged)
    return { action: 'created', organization: merged }
  }
  Object.assign(old, merged)
  return { action: 'updated', organization: old }
}

const sameEmail = (one: { email: string }, other: { email: string }) =>
  one.email.toLowerCase() === other.email.toLowerCase()

// First who is meant, with everybody as stored; then whether the e-mails that come out
// of it are all different.
function mergeContacts(
  stored: ModelContact[],
  sent: ContactBody[],
): ModelContact[] | 'contact_conflict' {
  const meant = new Map(sent.map((one) => [one, contactMeant(stored, sent, one)]))
  const newPrimary = sent.find((one) => one.is_primary)
  const merge = (one: ContactBody): ModelContact => {
    const old = meant.get(one)
    const { external_reference, ...fields } = one
    return {
      phone: null,
      ...old,
      ...fields,
      external_reference: external_reference ?? old?.external_reference ?? null,
      is_primary: newPrimary ? one === newPrimary : isStillPrimary(one, old),
    }
  }

  const kept = stored.map((old) => {
    const one = sent.find((other) => meant.get(other) === old)
    if (one) return merge(one)
    return newPrimary ? { ...old, is_primary: false } : old
  })
  const added = sent.filter((one) => !meant.get(one)).map(merge)
  const all = [...kept, ...added]
  const isTaken = all.some((one) => all.some((other) => other !== one && sameEmail(one, other)))
  return isTaken ? 'contact_conflict' : all
}

function contactMeant(
  stored: ModelContact[],
  sent: ContactBody[],
  one: ContactBody,
): ModelContact | undefined {
  const byReference = (of: ContactBody) =>
    stored.find((old) => of.external_reference && old.external_reference === of.external_reference)
  const known = byReference(one)
  if (known) return known
  const isAnothers = (old: ModelContact) => sent.some((other) => byReference(other) === old)
  return stored.find(
    (old) =>
      sameEmail(old, one) &&
      !isAnothers(old) &&
      !(one.external_reference && old.external_reference),
  )
}

const isStillPrimary = (one: ContactBody, old: ModelContact | undefined): boolean =>
  'is_primary' in one ? (one.is_primary ?? false) : (old?.is_primary ?? false)
