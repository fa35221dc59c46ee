import { validation } from '@pool/contract/messages'
import { register } from '@pool/contract/users'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Product, startProduct } from '../testing/product.ts'
import { ensureSuperAdmin } from './ensureSuperAdmin.ts'
import { weaknessOf } from './passwordRules.ts'

const owner = { email: 'grace.hopper@navy.example', productName: 'Peer Lending Pool' }

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
  'iloveyou',
  'Dragon',
  'monkey',
  'football1',
  'trustno1',
  'aaaaaaaa',
  'abababab',
  'abcabcabca',
])('%s is common', (password) => {
  expect(weaknessOf(password, owner)).toBe(validation.passwordCommon)
})

test.each([
  'grace.hopper',
  'GraceHopper',
  'gracehopper1',
  'grace.hopper@navy.example',
  'navy.example',
  'Peer Lending Pool',
  'peerlendingpool2026',
  'p33r-lending-pool!',
])('%s is personal', (password) => {
  expect(weaknessOf(password, owner)).toBe(validation.passwordPersonal)
})

test.each(['correct horse battery', 'a quiet password', 'the pool is deep', 'xK9#vb', 'tortoise waltz', '密码是一只安静的猫'])(
  '%s may be used',
  (password) => {
    expect(weaknessOf(password, owner)).toBeUndefined()
  },
)

describe('with the product', () => {
  let product: Product
  beforeAll(async () => {
    product = await startProduct({ PRODUCT_NAME: 'Harbour Lending' })
  })
  afterAll(() => product.close())

  test.each([
    ['Password1', validation.passwordCommon],
    ['harbour lending', validation.passwordPersonal],
    ['newcomer99', validation.passwordPersonal],
    ['12345', validation.passwordMinimum],
  ])('registration with %s is refused with its sentence, and writes nobody', async (password, narration) => {
    const username = 'newcomer@example.com'
    const payload = { username, password, detail: { firstName: 'New', lastName: 'Comer', email: username } }
    expect(await product.call(register, { payload })).toMatchObject({
      status: 400,
      narration,
      body: { code: 'validation', field: 'password' },
    })
    expect((await product.database.pool.query('SELECT FROM users')).rowCount).toBe(0)
  })

  test('in live mode the super admin is not made with a common password; in a sandbox it is', async () => {
    const given = { email: 'boss@example.com', password: 'Admin123', productName: 'Harbour Lending' }
    await expect(ensureSuperAdmin(product.context.db, { ...given, live: true })).rejects.toThrow(
      /SUPER_ADMIN_PASSWORD: This password is too easy/,
    )
    expect(await ensureSuperAdmin(product.context.db, { ...given, live: false })).toEqual({ email: given.email })
  })
})
