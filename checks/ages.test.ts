import { expect, test } from 'vitest'
import { daysIn, tooYoung } from './ages.ts'

const AT = new Date('2026-03-10T12:00:00Z')
const lockfile = {
  packages: {
    '': {},
    'node_modules/@pool/web': { link: true },
    'node_modules/a': { version: '1.2.0' },
    'web/node_modules/@x/b': { version: '2.0.0' },
  },
}
const faults = (times: Record<string, Record<string, string>>) =>
  tooYoung({ lockfile, at: AT, days: 7, timesOf: new Map(Object.entries(times)) })

test('versions of a week before the lock pass', () => {
  expect(
    faults({
      a: { '1.2.0': '2026-03-03T12:00:00Z', '1.3.0': '2026-03-10T11:00:00Z' },
      '@x/b': { '2.0.0': '2020-01-01T00:00:00Z' },
    }),
  ).toEqual([])
})

test('a younger version and one without time are named', () => {
  expect(faults({ a: { '1.2.0': '2026-03-03T12:00:01Z' }, '@x/b': {} })).toEqual([
    'a@1.2.0 is of 2026-03-03T12:00:01Z, less than 7 days before 2026-03-10T12:00:00.000Z',
    '@x/b@2.0.0 has no publication time',
  ])
})

test.each([
  ['ignore-scripts=true\nmin-release-age=7\n', 7],
  ['min-release-age=0', 0],
  ['# min-release-age=7', undefined],
])('npm settings of %j give their days', (text, days) => {
  expect(daysIn(text)).toBe(days)
})
