// What a file is by its bytes, and whether that is what its sender says. The name's
// extension says nothing; a type that the sender didn't declare can't be wrong. Only the
// beginning counts here: what else a file may be at the same time is the scanners' part.
import { ApiError } from '../http/errors.ts'

export const extensions = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
} as const
export type ContentType = keyof typeof extensions

type Mark = { offset: number; bytes: Buffer }

const mark = (text: string, offset = 0): Mark => ({ offset, bytes: Buffer.from(text, 'latin1') })

// Each format's own marks, at the very start: a reader that looks for "%PDF" further on
// makes room for another format before it.
const marks: [ContentType, Mark[]][] = [
  ['application/pdf', [mark('%PDF-')]],
  ['image/png', [mark('\x89PNG\r\n\x1a\n')]],
  ['image/jpeg', [mark('\xff\xd8\xff')]],
  ['image/webp', [mark('RIFF'), mark('WEBP', 8)]],
]

// What senders write for one and the same type.
const spellings: Record<string, ContentType> = {
  'application/x-pdf': 'application/pdf',
  'image/apng': 'image/png',
  'image/x-png': 'image/png',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
}

/**
 * The type of a file by its bytes; `declared` is null where the sender said nothing.
 * Throws 415 when it isn't one of the four, or is another one than declared.
 */
export function requireContentType(bytes: Buffer, declared: string | null): ContentType {
  const found = marks.find(([, all]) => all.every((one) => isAt(bytes, one)))?.[0]
  if (!found) {
    throw new ApiError('unsupported_media_type', 'Send a PDF, PNG, JPEG or WebP file.')
  }
  if (declared !== null && (spellings[declared] ?? declared) !== found) {
    throw new ApiError(
      'unsupported_media_type',
      `The part is declared as ${declared}, but its bytes are ${found}.`,
    )
  }
  return found
}

const isAt = (file: Buffer, { offset, bytes }: Mark): boolean =>
  file.subarray(offset, offset + bytes.length).equals(bytes)
