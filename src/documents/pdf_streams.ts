// Unpacks what a PDF holds in streams, so that rules can see it. It doesn't trust the
// file's own map of itself: every "stream" is tried, from its start to wherever the packed
// data ends, because a reader may be led there by ways that a simpler look misses.
import { looksDeflated, TooMuch, unpack } from './pdf_filters.ts'

/** A letter has a hundred streams, a long report some thousand. */
const mostStreams = 50_000
/** Unpacked in all: twenty pages of 300 dpi in colour, without loss. */
const unpackedLimit = 512 * 1024 * 1024
/** How far before the keyword its dictionary may begin. */
const dictionaryBytes = 8192

/** Hands over what the streams unpack to, in order. Throws TooMuch. */
export async function unpackStreams(
  pdf: Buffer,
  emit: (chunk: Buffer) => void,
  onStreamEnd: () => void,
): Promise<void> {
  let unpacked = 0
  let count = 0
  for (const { names, start } of packedStreams(pdf)) {
    count += 1
    if (count > mostStreams) throw new TooMuch(`more than ${mostStreams} streams`)
    await unpack(pdf.subarray(start), names, (chunk) => {
      unpacked += chunk.length
      if (unpacked > unpackedLimit) throw new TooMuch('the streams unpack to too much')
      emit(chunk)
    })
    onStreamEnd()
  }
}

type PackedStream = { names: string[]; start: number }

const keyword = 'stream'

function* packedStreams(pdf: Buffer): Generator<PackedStream> {
  for (let at = pdf.indexOf(keyword); at >= 0; at = pdf.indexOf(keyword, at + keyword.length)) {
    if (pdf.toString('latin1', at - 3, at) === 'end') continue
    const start = afterLineEnd(pdf, at + keyword.length)
    const names = filterNames(pdf.toString('latin1', Math.max(0, at - dictionaryBytes), at))
    if (names.length > 0) yield { names, start }
    else if (looksDeflated(pdf, start)) yield { names: ['FlateDecode'], start }
  }
}

function afterLineEnd(pdf: Buffer, from: number): number {
  let at = from
  while (pdf[at] === 0x20) at += 1
  if (pdf[at] === 0x0d) at += 1
  if (pdf[at] === 0x0a) at += 1
  return at
}

// The dictionary is what lies between the object's beginning and the keyword. A filter
// that is named elsewhere (an indirect reference) shows only by the data's own look.
function filterNames(before: string): string[] {
  const dictionary = before
    .slice(before.lastIndexOf('obj') + 1)
    .replaceAll(/#([0-9a-f]{2})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
  const value = /\/Filter\s*(\[[^\]]*\]|\/[^\s/<>[\]()]+)/.exec(dictionary)?.[1] ?? ''
  return [...value.matchAll(/\/([^\s/<>[\]()]+)/g)].map(([, name = '']) => name)
}
