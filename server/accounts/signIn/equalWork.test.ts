import { login } from '@pool/contract/accounts/users'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { PASSWORD, type Person, person, testProduct } from '../../testing/product.ts'
import { carryOut } from '../passwords/passwordWork.ts'

// Spies only. All the work is really done.
vi.mock('../passwords/passwordWork.ts', { spy: true })

const product = testProduct()
let someone: Person
beforeAll(async () => {
  someone = await person(product)
  // The first sign-in makes the dummy hash.
  await signIn(someone.email, PASSWORD)
})
beforeEach(() => void vi.mocked(carryOut).mockClear())

const signIn = async (username: string, password: string) =>
  (await product.call(login, { payload: { username, password } })).status

/** Password tasks with their results. Hashes are shown by their parameters. */
const work = () =>
  vi.mocked(carryOut).mock.calls.map(([{ password, passwordHash = '' }], n) => {
    const [, parameters] = /^(\$argon2id\$v=19\$[^$]+)\$/.exec(passwordHash) ?? []
    return {
      password,
      parameters,
      length: passwordHash.length,
      matches: vi.mocked(carryOut).mock.settledResults[n]?.value,
    }
  })

test('unknown emails cost as much work as wrong passwords', async () => {
  expect(await signIn(someone.email, 'not the password')).toBe(401)
  const wrong = work()
  expect(wrong).toMatchObject([
    { password: 'not the password', parameters: '$argon2id$v=19$m=19456,t=2,p=1', matches: false },
  ])
  vi.mocked(carryOut).mockClear()
  expect(await signIn('nobody@example.com', 'not the password')).toBe(401)
  expect(work()).toEqual(wrong)
})

test('a password with accents is no exception', async () => {
  expect(await signIn(someone.email, 'jose\u0301 is not it')).toBe(401)
  const wrong = work()
  expect(wrong.map(({ password }) => password)).toEqual([
    'jos\u00e9 is not it',
    'jose\u0301 is not it',
  ])
  vi.mocked(carryOut).mockClear()
  expect(await signIn('nobody@example.com', 'jose\u0301 is not it')).toBe(401)
  expect(work()).toEqual(wrong)
})

test('the dummy hash’s password signs no user in', async () => {
  expect(await signIn('nobody@example.com', 'no account has this hash')).toBe(401)
  expect(work()).toMatchObject([{ matches: true }])
})
