import { expect, test } from 'vitest'
import { newKeys } from '../../testing/product.ts'
import { newEnrolment, placeOf } from './enrolments.ts'
import { base32Of, newPlace, otpauthUri, secretOf } from './secrets.ts'
import { codeAt, stepAt, stepOf } from './totp.ts'

const SECRET = Buffer.from('12345678901234567890')

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('second %i has the code of RFC 6238', (second, code) => {
  expect(codeAt(SECRET, stepAt(second), 8)).toBe(code)
})

test('a code belongs to its step and both neighbours', () => {
  const now = stepAt(1_234_567_890)
  const at = (steps: number) => stepOf(SECRET, codeAt(SECRET, now + steps), now)
  expect([-2, -1, 0, 1, 2].map(at)).toEqual([undefined, now - 1, now, now + 1, undefined])
  const wide = codeAt(SECRET, now).replace(/./g, (digit) =>
    String.fromCharCode(0xff10 + Number(digit)),
  )
  expect(stepOf(SECRET, wide, now)).toBe(now)
  expect(stepOf(SECRET, ` ${codeAt(SECRET, now).replace(/^.{3}/, '$& ')}`, now)).toBe(now)
  for (const wrong of ['', '12345', '1234567', 'abcdef', codeAt(SECRET, now, 8)])
    expect(stepOf(SECRET, wrong, now)).toBeUndefined()
})

test('a secret differs by key, user and factor', () => {
  const [keys, others] = [newKeys(), newKeys()]
  const place = newPlace(keys)
  const secret = secretOf(keys, 'user', place)
  expect(secret).toHaveLength(20)
  expect(secretOf(keys, 'other', place)).not.toEqual(secret)
  expect(secretOf(keys, 'user', newPlace(keys))).not.toEqual(secret)
  expect(secretOf(others, 'user', place)).toBeUndefined()
})

test('an enrolment belongs to its user, session and key', () => {
  const keys = newKeys()
  const by = { id: 'user', name: 'ana@example.com', from: 'tests', session: 'one' }
  const place = newPlace(keys)
  const enrolment = newEnrolment(keys, by, place)
  expect(placeOf(keys, by, enrolment)).toEqual(place)
  const others = [
    { ...by, id: 'other' },
    { ...by, session: 'two' },
    { ...by, session: undefined },
  ]
  expect(others.map((other) => placeOf(keys, other, enrolment))).toEqual(Array(3).fill(undefined))
  expect(placeOf(newKeys(), by, enrolment)).toBeUndefined()
  const altered = [
    '',
    '.',
    `${enrolment}0`,
    `0${enrolment}`,
    enrolment.replace(/\.\d+\./, '.9e15.'),
  ]
  expect(altered.map((each) => placeOf(keys, by, each))).toEqual(Array(5).fill(undefined))
})

test('the URI names the product and its user', () => {
  expect(otpauthUri(SECRET, 'Pool & Co', 'ana@example.com')).toBe(
    'otpauth://totp/Pool%20%26%20Co:ana%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Pool%20%26%20Co',
  )
  expect(base32Of(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
})
