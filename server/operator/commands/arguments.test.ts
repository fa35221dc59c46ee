import { expect, test } from 'vitest'
import { argumentsOf, momentFrom, UsageError } from './arguments.ts'

test.each([
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00.5+01:00', '2026-01-31T11:00:00.500Z'],
  ['2026-12-31T23:30:00-01:30', '2027-01-01T01:00:00.000Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
])('the moment %s is read as %s', (text, moment) => {
  expect(momentFrom(text)?.toISOString()).toBe(moment)
})

test.each([
  '2026-02-30T12:00:00Z',
  '2026-02-29T12:00:00Z',
  '2026-04-31T12:00:00+02:00',
  '2026-13-01T12:00:00Z',
  '2026-00-10T12:00:00Z',
  '2026-01-00T12:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T12:60:00Z',
  '2026-01-31T12:00:60Z',
  '2026-01-31T12:00:00+15:00',
  '2026-01-31T12:00:00+01:60',
  '2026-01-31T12:00:00.1234Z',
  '2026-01-31T12:00:00',
  '2026-01-31',
  '2026-1-31T12:00:00Z',
  '31 January 2026 12:00 Z',
  '02/03/2026T12:00:00Z',
  ' 2026-01-31T12:00:00Z',
  '',
])("the moment '%s' is refused", (text) => {
  expect(momentFrom(text)).toBeUndefined()
})

const read = (...words: string[]) => {
  const before = process.argv
  process.argv = [...before.slice(0, 2), ...words]
  try {
    return argumentsOf('Usage: x', 'keep')
  } finally {
    process.argv = before
  }
}

test('words and options are read in any order', () => {
  const wanted = { words: ['DIRECTORY'], options: { keep: '7' } }
  expect(read('DIRECTORY', '--keep', '7')).toEqual(wanted)
  expect(read('--keep=7', 'DIRECTORY')).toEqual(wanted)
  expect(read('DIRECTORY')).toEqual({ words: ['DIRECTORY'], options: {} })
})

test.each([
  ['an unknown option', ['DIRECTORY', '--kept', '7'], /Unknown option '--kept'\.\nUsage/],
  ['an option without its text', ['DIRECTORY', '--keep'], /argument missing\.\nUsage/],
  ['an empty word', [''], /An argument is empty\.\nUsage/],
  ['an empty text', ['DIRECTORY', '--keep', ''], /An argument is empty\.\nUsage/],
])('%s is a wrong call', (_, words, sentence) => {
  expect(() => read(...words)).toThrow(UsageError)
  expect(() => read(...words)).toThrow(sentence)
})
