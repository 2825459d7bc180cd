// The packing side of PDF's filters, which nothing but a test needs.

export const asciiHex = (data: Buffer): Buffer => Buffer.from(`${data.toString('hex')}>`)

export function ascii85(data: Buffer): Buffer {
  let text = ''
  for (let at = 0; at < data.length; at += 4) {
    const group = Buffer.alloc(4)
    const size = data.copy(group, 0, at, at + 4)
    let rest = group.readUInt32BE(0)
    const digits = Array.from({ length: 5 }, () => {
      const digit = rest % 85
      rest = Math.floor(rest / 85)
      return String.fromCharCode(33 + digit)
    })
    const word = digits.reverse().join('')
    text += word === '!!!!!' && size === 4 ? 'z' : word.slice(0, size + 1)
  }
  return Buffer.from(`${text}~>`)
}

/** Literal runs, with one repeated byte between them. */
export function runLength(data: Buffer): Buffer {
  const half = data.length >> 1
  const literal = (part: Buffer): Buffer => Buffer.concat([Buffer.of(part.length - 1), part])
  return Buffer.concat([
    Buffer.of(257 - 20, 0x20),
    literal(data.subarray(0, half)),
    literal(data.subarray(half)),
    Buffer.of(128),
  ])
}

/** LZW with codes that grow one early, and a new table when the old one is full. */
export function lzw(data: Buffer): Buffer {
  const bits: number[] = []
  let table = new Map<string, number>()
  let width = 9
  const put = (code: number): void => {
    for (let bit = width - 1; bit >= 0; bit -= 1) bits.push((code >> bit) & 1)
  }
  put(256)
  let current = ''
  const codeOf = (sequence: string): number =>
    sequence.length === 1 ? sequence.charCodeAt(0) : (table.get(sequence) ?? 0)
  for (const byte of data) {
    const next = current + String.fromCharCode(byte)
    if (next.length === 1 || table.has(next)) {
      current = next
      continue
    }
    put(codeOf(current))
    table.set(next, 258 + table.size)
    const size = 258 + table.size
    if (size > 4094) {
      put(256)
      table = new Map()
      width = 9
    } else {
      width = size >= 2048 ? 12 : size >= 1024 ? 11 : size >= 512 ? 10 : 9
    }
    current = String.fromCharCode(byte)
  }
  put(codeOf(current))
  put(257)
  const packed = Buffer.alloc(Math.ceil(bits.length / 8))
  for (const [index, bit] of bits.entries()) packed[index >> 3] = (packed[index >> 3] ?? 0) | (bit << (7 - (index & 7)))
  return packed
}
