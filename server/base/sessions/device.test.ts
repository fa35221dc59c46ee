import { expect, test } from 'vitest'
import { deviceDigest, readDevice } from './device.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

test.each([
  [CHROME, 'Chrome', 'Windows'],
  [`${CHROME} Edg/142.0.0.0`, 'Edge', 'Windows'],
  [`${CHROME} OPR/120.0.0.0`, 'Opera', 'Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari',
    'iOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
    'Samsung Internet',
    'Android',
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'Chrome',
    'ChromeOS',
  ],
  ['curl/8.11.0', null, null],
  ['', null, null],
])('%s is read as %s on %s', (userAgent, browser, system) => {
  expect(readDevice(userAgent)).toEqual({ browser, system })
})

test('an update or a neighbouring IP is the same device', () => {
  const digestOf = (ip: string, userAgent = CHROME) =>
    deviceDigest({ ip, userAgent }).toString('hex')
  const known = digestOf('203.0.113.9')
  expect(digestOf('203.0.113.200', CHROME.replace('142', '143'))).toBe(known)
  expect(digestOf('::ffff:203.0.113.9')).toBe(known)
  expect(digestOf('203.0.114.9')).not.toBe(known)
  expect(digestOf('203.0.113.9', CHROME.replace('Windows', 'Macintosh'))).not.toBe(known)
  expect(digestOf('2001:db8:1:2::3')).toBe(digestOf('2001:db8:1:9::1'))
  expect(digestOf('2001:db8:1:2::3')).not.toBe(digestOf('2001:db8:2:2::3'))
  expect(digestOf('unknown')).not.toBe(known)
})
