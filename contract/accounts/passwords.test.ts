import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as validation from '../base/validation.ts'
import { weaknessOf } from './passwords.ts'

const owner = {
  email: 'grace.hopper@navy.example',
  firstName: 'Grace',
  lastName: 'Hopper',
  productName: 'Peer Lending Pool',
}

test.each([
  'password',
  'PassWord',
  ' password ',
  'password1',
  'Password2026!',
  'p4ssw0rd',
  'P@$$w0rd!',
  '123456',
  '1234567890',
  'qwerty',
  'qwerty123',
  'letmein',
  'iloveyou!',
  'Dragon',
  'football1',
  'trustno1',
  'zxcvbn',
  '      ',
])('%j is a common password', (password) => {
  expect(weaknessOf(password, owner)).toBe(validation.passwordCommon)
})

test.each(['bitcoin', 'blockchain', 'hydraulics', 'wilhelmina'])(
  '%s is a single word',
  (password) => {
    expect(weaknessOf(password, owner)).toBe(validation.passwordWord)
  },
)

test.each(['abcdef', 'aaaaaaaaa', 'abcabcabca', 'ghijklmn', 'lkjhgfds', 'oiuytrewq'])(
  '%s is a regular sequence',
  (password) => {
    expect(weaknessOf(password, owner)).toBe(validation.passwordRegular)
  },
)

test.each(['31.12.1999', '1999-12-31'])('%s is a date', (password) => {
  expect(weaknessOf(password, owner)).toBe(validation.passwordDate)
})

test.each([
  'grace.hopper',
  'GraceHopper',
  'gracehopper1',
  'HopperGrace!',
  'hopper1906',
  'grace.hopper@navy.example',
  'navy.example',
  'lendingpool',
  'Peer Lending Pool',
  'Peer-Lending-Pool',
  'peerlendingpool2026',
  'p33r-lending-pool!',
  'ｌｅｎｄｉｎｇｐｏｏｌ',
])('%s names the owner or the product', (password) => {
  expect(weaknessOf(password, owner)).toBe(validation.passwordPersonal)
})

test.each([
  'secret-12',
  'correct horse battery',
  'a quiet password',
  'the pool is deep',
  'xK9#vb',
  'hzqwpm',
  'tortoise waltz',
  '密码是一只安静的猫',
  'constructor of hasOwnProperty',
])('%s may be used as a password', (password) => {
  expect(weaknessOf(password, owner)).toBeUndefined()
})

test('facts about other owners weaken no password', () => {
  expect(
    weaknessOf('hopper-1906-x', { email: 'ada@example.com', productName: 'Harbour' }),
  ).toBeUndefined()
})

test('six random characters are hardly ever refused', () => {
  const six = fc.string({
    minLength: 6,
    maxLength: 6,
    unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
  })
  const refused = fc
    .sample(six, { numRuns: 1_000, seed: 1 })
    .filter((password) => weaknessOf(password, owner) !== undefined)
  expect(refused.length).toBeLessThan(15)
})

test('every typed text gets a judgement', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 256 }),
      fc.string({ maxLength: 100 }),
      (password, name) => {
        const sentence = weaknessOf(password, {
          email: `${name}@example.com`,
          firstName: name,
          lastName: '__proto__',
          productName: name,
        })
        expect([undefined, ...Object.values(validation)]).toContain(sentence)
      },
    ),
  )
})
