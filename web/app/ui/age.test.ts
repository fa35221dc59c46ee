import { expect, test } from 'vitest'
import { ageOf, howFar } from './age.ts'

const now = new Date('2026-11-21T12:00:00Z')

test.each([
  ['2026-11-21T12:00:20Z', 'in 20 seconds'],
  ['2026-11-21T12:00:59.900Z', 'in 1 minute'],
  ['2026-11-22T11:59:30Z', 'tomorrow'],
  ['2026-11-22T11:00:00Z', 'in 23 hours'],
  ['2026-11-21T12:30:00Z', 'in 30 minutes'],
  ['2026-11-21T15:10:00Z', 'in 3 hours'],
  ['2026-11-22T13:00:00Z', 'tomorrow'],
  ['2026-12-03T12:00:00Z', 'in 12 days'],
  ['2026-11-20T12:00:00Z', 'yesterday'],
])('%s is %s', (at, said) => expect(howFar(new Date(at), now)).toBe(said))

test.each([
  ['2026-11-21T11:59:30Z', 'now'],
  ['2026-11-21T12:00:30Z', 'now'],
  ['2026-11-21T11:55:00Z', '5 minutes ago'],
  ['2026-11-20T13:00:00Z', '23 hours ago'],
  ['2026-11-20T12:00:00Z', null],
  ['2026-11-21T12:02:00Z', null],
])('the age of %s is %s', (at, said) => expect(ageOf(new Date(at), now)).toBe(said))
