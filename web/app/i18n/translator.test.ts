import { compileMessage } from '@lingui/message-utils/compileMessage'
import { expect, test } from 'vitest'
import { translator } from './translator.ts'

test('a sentence takes the plural of its number', () => {
  const days = compileMessage(
    '{count, plural, one {# day} other {# days}} at {rate}',
  ) as unknown as string
  const t = translator({ days })
  expect(t('days', { count: 1, rate: '4%' })).toBe('1 day at 4%')
  expect(t('days', { count: 5, rate: '5%' })).toBe('5 days at 5%')
})
