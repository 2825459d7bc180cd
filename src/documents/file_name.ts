// The name that a document is kept under. A caller's name is a stranger's text: whoever
// saves the file by it later must not be led out of a folder or fooled by its display.

/** What common file systems take, and the column's check. */
const maxBytes = 255
/** A longer "extension" is part of a sentence, not worth keeping at the cost of the stem. */
const maxExtensionBytes = 16

/** The last path component without control characters, in at most 255 bytes of UTF-8. */
export function cleanFileName(given: string, extension: string): string {
  // Reordering marks make "gpj.exe" of "exe.jpg"; line and paragraph separators end lines.
  const visible = given.replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '')
  const name = (visible.split(/[/\\]/).at(-1) ?? '').trim()
  if (/^\.*$/.test(name)) return `document.${extension}`
  return shorten(name)
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot) : ''
  const kept = Buffer.byteLength(extension) <= maxExtensionBytes ? extension : ''
  const stem = name.slice(0, name.length - kept.length)
  return cut(stem, maxBytes - Buffer.byteLength(kept)).trimEnd() + kept
}

/** As many whole code points as fit into so many bytes. */
function cut(text: string, bytes: number): string {
  const buffer = Buffer.alloc(bytes)
  return text.slice(0, new TextEncoder().encodeInto(text, buffer).read)
}
