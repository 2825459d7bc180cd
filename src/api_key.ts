// What an API key looks like. The checksum lets a mistyped key, and a leaked one in a
// scanner, be recognised without a look-up; it keeps nobody out. The key itself is
// never stored: only its digest leaves this file.
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const environments = ['test', 'live'] as const
export type KeyEnvironment = (typeof environments)[number]

/** Deployments take the keys of one environment only. */
export const environmentOf = {
  staging: 'test',
  production: 'live',
} as const satisfies Record<string, KeyEnvironment>

export const scopes = [
  'organizations:read',
  'organizations:write',
  'leads:read',
  'leads:write',
  'quotes:read',
  'quotes:write',
  'files:write',
  'fees:read',
  'products:read',
  'orders:read',
] as const
export type Scope = (typeof scopes)[number]

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const prefixLength = 13
const form = /^svc_(test|live)_[0-9A-Za-z]{38}$/

export type NewKey = { key: string; prefix: string; digest: Buffer }

/** Makes a key of an environment: 32 random characters, then 6 of checksum. */
export function makeKey(environment: KeyEnvironment): NewKey {
  const body = `svc_${environment}_${randomBase62(randomLength)}`
  const key = body + checksum(body)
  return { key, prefix: key.slice(0, prefixLength), digest: keyDigest(key) }
}

/** Whether a text is a well-formed key of an environment. */
export function isKeyOf(environment: KeyEnvironment, text: string): boolean {
  const match = form.exec(text)
  return match?.[1] === environment && checksum(text.slice(0, -6)) === text.slice(-6)
}

/** SHA-256 of a key, 32 bytes: what the database knows it by. */
export function keyDigest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < 6; i += 1) {
    digits = alphabet.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    // 248 is the last multiple of 62 in a byte: above it some digits would be likelier.
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
    }
  }
  return text
}
