import { expect, test } from 'vitest'
import { checks, checksNamed } from '../ops/checks.mjs'

test('every check has a unique name', () => {
  const names = checks.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('all checks run without a name', () => {
  expect(checksNamed([])).toEqual(checks)
})

test('names choose checks in the fixed order', () => {
  expect(checksNamed(['paths', 'boundaries'])?.map(({ title }) => title)).toEqual([
    'Boundaries',
    'Paths in prose',
  ])
})

test('an unknown name chooses none', () => {
  expect(checksNamed(['paths', 'boundary'])).toBeUndefined()
})
