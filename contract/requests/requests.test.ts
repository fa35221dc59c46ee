import { expect, test } from 'vitest'
import { destinationOf } from './requests.ts'

test('a withdrawal goes to address, description or default', () => {
  expect(destinationOf({ destinationAddress: ' bc1 ', description: 'note' })).toBe('bc1')
  expect(destinationOf({ destinationAddress: '  ', description: 'note' })).toBe('note')
  expect(destinationOf({})).toBe('Default Address')
})
