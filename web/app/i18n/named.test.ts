import { expect, test } from 'vitest'
import { withoutStop } from './named.ts'

test.each([
  ['The address is wrong.', 'The address is wrong'],
  ['Ask again... ', 'Ask again'],
  ['No stop', 'No stop'],
  ['Paid 1.50 of it.', 'Paid 1.50 of it'],
  ['Why?', 'Why?'],
])('%j ends a sentence as %j', (text, said) => expect(withoutStop(text)).toBe(said))
