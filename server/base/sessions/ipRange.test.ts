import { expect, test } from 'vitest'
import { ipRange } from './ipRange.ts'

test.each([
  ['203.0.113.9', 64, '203.0.113.9'],
  ['::ffff:203.0.113.9', 64, '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', 64, '2001:db8:1:2'],
  ['2001:db8:1:2:ffff::', 64, '2001:db8:1:2'],
  ['2001:0DB8:0001:2::6', 48, '2001:db8:1'],
  ['2001:db8::1', 64, '2001:db8:0:0'],
  ['::1', 48, '0:0:0'],
  ['fe80::1%eth0', 64, 'fe80:0:0:0'],
  ['unknown', 64, 'unknown'],
])('%s within %i bits counts as %s', (address, bits, range) => {
  expect(ipRange(address, bits)).toBe(range)
})
