import { describe, expect, it } from '@jest/globals'
import { readCsv } from '../../src/admin/csv.ts'

const read = (text: string | Uint8Array) =>
  readCsv(typeof text === 'string' ? new TextEncoder().encode(text) : text, ['code', 'name'])

/** Where the faults are, and of which kind. */
const faultsOf = (text: string | Uint8Array) =>
  read(text).faults.map(({ line, column, type }) => [line, column, type])

describe('readCsv can', () => {
  it('read plain rows, each with its line', () => {
    expect(read('code,name\nA,One\nB,Two\n')).toEqual({
      rows: [
        { line: 2, code: 'A', name: 'One' },
        { line: 3, code: 'B', name: 'Two' },
      ],
      faults: [],
    })
  })

  it('read a byte order mark, CRLF, quotes, and line ends inside them', () => {
    const { rows, faults } = read('\ufeffcode,name\r\nA,"Say ""hi"",\r\nagain"\r\nB,Two\r\n')
    expect(faults).toEqual([])
    expect(rows).toEqual([
      { line: 2, code: 'A', name: 'Say "hi",\nagain' },
      { line: 4, code: 'B', name: 'Two' },
    ])
  })

  it('read columns in any order and case, and skip the empty ends that spreadsheets leave', () => {
    const { rows, faults } = read(' Name ,CODE,,\nOne,A,,\n,,,\n\nTwo,B\n')
    expect(faults).toEqual([])
    expect(rows).toEqual([
      { line: 2, code: 'A', name: 'One' },
      { line: 5, code: 'B', name: 'Two' },
    ])
  })

  it('trim cells, and take empty ones as null', () => {
    expect(read('code,name\n  A\u00a0, " "\n').rows).toEqual([{ line: 2, code: 'A', name: null }])
  })

  it('read a file without rows', () => {
    expect(read('code,name')).toEqual({ rows: [], faults: [] })
  })
})

describe('readCsv can NOT', () => {
  it.each([
    ['an empty file', '', [[1, null, 'missing']]],
    ['a missing column', 'code\nA\n', [[1, 'name', 'missing']]],
    ['an unknown column', 'code,name,colour\nA,One,red\n', [[1, 'colour', 'extra_forbidden']]],
    ['a column that is there twice', 'code,name,code\nA,One,A\n', [[1, 'code', 'duplicate']]],
    ['rows of other lengths', 'code,name\nA\nB,Two\nC,Three,3\n', [[2, null, 'cells'], [4, null, 'cells']]],
    ['a quote that stays open', 'code,name\nA,One\nB,"Two\nC,Three\n', [[3, null, 'quote']]],
    ['text after a quote', 'code,name\nA,"One"x\n', [[2, null, 'quote']]],
    ['U+0000', 'code,name\nA,One\nB,T\0o\n', [[3, 'name', 'string_characters']]],
  ])('accept %s', (_what, text, expected) => {
    expect(faultsOf(text)).toEqual(expected)
  })

  it('accept other encodings, and names each line', () => {
    const latin1 = Buffer.from('code,name\nA,Caf\xe9\nB,Two\nC,\xd1and\xfa\n', 'latin1')
    expect(faultsOf(latin1)).toEqual([
      [2, null, 'encoding'],
      [4, null, 'encoding'],
    ])
  })
})
