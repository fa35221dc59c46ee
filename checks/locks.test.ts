import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOCKS, withLocks } from '../server/base/locks.ts'
import { ROOT, trackedFiles } from './sources.ts'

const TABLE = 'server/base/locks.ts'
const NUMBERS = new Set(Object.values(LOCKS).map(String))

/** Numbers of a file that are a lock's, or stand where a function takes a lock. */
const lockNumbersIn = (text: string): string[] => [
  ...[...text.matchAll(/\b\d[\d_]{5,}\b/g)]
    .map(([literal]) => literal.replaceAll('_', ''))
    .filter((number) => NUMBERS.has(number)),
  ...[...text.matchAll(/\bpg_(?:try_)?advisory_\w+\(\s*(\d+)/g)].map(([, number = '']) => number),
]

test('only the table of locks has their numbers', () => {
  const found = trackedFiles()
    .filter((path) => /\.(?:tsx?|mjs|sql)$/.test(path) && path !== TABLE)
    .flatMap((path) =>
      lockNumbersIn(readFileSync(join(ROOT, path), 'utf8')).map(
        (number) => `${path} has ${number}`,
      ),
    )
  expect(found).toEqual([])
})

test.each([
  [`SELECT pg_advisory_xact_lock(${12})`, '12'],
  [`SELECT pg_try_advisory_lock( ${7}, hashtext($1))`, '7'],
  [`const LOCK = ${String(LOCKS.groups).replace('7', '7_')}`, String(LOCKS.groups)],
  [`WHERE objid = ${LOCKS.seals}`, String(LOCKS.seals)],
])('a literal number of a lock is found: %s', (text, number) => {
  expect(lockNumbersIn(text)).toContain(number)
})

test('each lock has a number of its own', () => {
  expect(NUMBERS.size).toBe(Object.keys(LOCKS).length)
})

test('a lock without a name in the table is refused', () => {
  expect(withLocks('PERFORM lock(:lock(groups), n)')).toBe(`PERFORM lock(${LOCKS.groups}, n)`)
  expect(() => withLocks('PERFORM lock(:lock(group))')).toThrow('There is no lock named "group".')
})
