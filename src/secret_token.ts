// The shape that API keys and analyst tokens share: a head that says what it is, 32
// base62 characters of randomness, then 6 of CRC-32 over everything before them. The
// checksum lets a mistyped token, and a leaked one in a scanner, be recognised without a
// look-up; it keeps nobody out. The token itself is never stored: only its digest is.
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checksumLength = 6
const tail = /^[0-9A-Za-z]{38}$/
// Enough of the random part to tell tokens apart in a list, and no more.
const shownLength = 4

export type NewToken = { token: string; prefix: string; digest: Buffer }

/** Makes a token that begins with a head such as `svc_test_`. */
export function makeToken(head: string): NewToken {
  const body = head + randomBase62(randomLength)
  const token = body + checksum(body)
  return { token, prefix: token.slice(0, head.length + shownLength), digest: tokenDigest(token) }
}

/** Whether a text is a well-formed token with this head. */
export function isToken(head: string, text: string): boolean {
  return (
    text.startsWith(head) &&
    tail.test(text.slice(head.length)) &&
    checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
  )
}

/** SHA-256 of a token, 32 bytes: what the database knows it by. */
export function tokenDigest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i += 1) {
    digits = alphabet.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    // 248 is the last multiple of 62 in a byte: above it some digits would be likelier.
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
    }
  }
  return text
}
