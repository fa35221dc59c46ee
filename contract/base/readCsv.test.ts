import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CsvColumn, csvLines } from './csv.ts'
import { readCsv } from './readCsv.ts'

const columns = (count: number): readonly CsvColumn<readonly string[]>[] =>
  Array.from({ length: count }, (_, at) => ({ heading: '', value: (row) => row[at] ?? '' }))

test('records that were written are read back on their lines', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', ',', '"', ' ', ';') })
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
      const read = readCsv(csvLines(rows, columns(2)))
      expect(read).toEqual(rows.map((cells, at) => ({ line: at + 1, cells, openQuote: null })))
    }),
  )
})

test('a quote that does not end its cell is told', () => {
  const openIn = (text: string) => readCsv(text).map(({ line, openQuote }) => [line, openQuote])
  expect(openIn('a,b\n1,"2\n3,4')).toEqual([
    [1, null],
    [2, 2],
  ])
  expect(openIn('1,"2\n3,4"\n5,6')).toEqual([
    [1, 1],
    [3, null],
  ])
  expect(openIn('"1"2,3')).toEqual([[1, 1]])
  expect(openIn('1"2,3\r\n\r\n4,5')).toEqual([
    [1, null],
    [3, null],
  ])
})

test('no more records are read than were asked for', () => {
  expect(readCsv('a\nb\nc\n', 2).map(({ cells }) => cells)).toEqual([['a'], ['b']])
})
