import { describe, expect, test } from 'vitest'
import { readAddresses, withoutLines } from './addressList.ts'

describe('the addresses of', () => {
  test.each([
    ['nothing', '', []],
    ['blank lines', ' \n\t\r\n', []],
    ['lines, with their numbers', 'a\n\n  b \r\nc', ['1 a', '3 b', '4 c']],
    ['a file that begins with a byte order mark', '\ufeffa\nb', ['1 a', '2 b']],
    ['the first column', 'a,one\n"b";two\nc\tthree', ['1 a', '2 b', '3 c']],
    ['a column named Address', 'ID,Wallet address,Status\n7,a,Free\n8,"b",', ['2 a', '3 b']],
    ['una columna llamada Dirección', 'Red;Dirección\nBitcoin;a', ['2 a']],
    ['a row without one', 'Address\na\n,x', ['2 a', '3 ']],
  ])('%s', (_, text, expected) => {
    expect(readAddresses(text).map(({ line, address }) => `${line} ${address}`)).toEqual(expected)
  })
})

test('lines are taken out by their number', () => {
  expect(withoutLines('a\r\nb\n\nc', [2, 4])).toBe('a\n')
})
