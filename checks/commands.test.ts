import { expect, test } from 'vitest'
import { checks, checksNamed } from '../ops/checks.mjs'

test('every check has a name of its own', () => {
  const names = checks.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('without a name, all checks run', () => {
  expect(checksNamed([])).toEqual(checks)
})

test('names choose checks, in the order of all', () => {
  expect(checksNamed(['paths', 'boundaries'])?.map(({ title }) => title)).toEqual([
    'Boundaries',
    'Paths in prose',
  ])
})

test('an unknown name chooses none', () => {
  expect(checksNamed(['paths', 'boundary'])).toBeUndefined()
})
