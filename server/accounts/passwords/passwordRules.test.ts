import { changePassword, login, register, resetPassword } from '@pool/contract/accounts/users'
import * as validation from '@pool/contract/base/validation'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, type Product, person, startProduct, testProduct } from '../../testing/product.ts'
import { type Link, tokenOf } from '../links/tokens.ts'
import { ensureSuperAdmin } from '../users/ensureSuperAdmin.ts'

const product = testProduct({ PRODUCT_NAME: 'Harbour Lending' })

const username = 'newcomer@example.com'
const registering = (password: string) => {
  const payload = {
    username,
    password,
    detail: { firstName: 'Wilhelmina', lastName: 'Oosterhuis', email: username },
  }
  return product.call(register, { payload })
}

test.each([
  ['Password1', validation.passwordCommon],
  ['abcdef', validation.passwordRegular],
  ['bitcoin', validation.passwordWord],
  ['lkjhgfds', validation.passwordRegular],
  ['31.12.1999', validation.passwordDate],
  ['harbour lending', validation.passwordPersonal],
  ['newcomer99', validation.passwordPersonal],
  ['oosterhuis7', validation.passwordPersonal],
  ['12345', validation.passwordMinimum],
])('registration with %s is refused with a reason', async (password, narration) => {
  expect(await registering(password)).toMatchObject({
    status: 400,
    narration,
    body: { code: 'validation', field: 'password' },
  })
  expect(
    (await product.database.pool.query('SELECT FROM users WHERE username = $1', [username]))
      .rowCount,
  ).toBe(0)
})

test('a changed password is checked against its owner’s data', async () => {
  const { token, email } = await person(product)
  const change = (newPassword: string) =>
    product.call(changePassword, { token, payload: { password: PASSWORD, newPassword } })
  for (const newPassword of ['test person', 'TestPerson1', email.slice(0, 36)])
    expect(await change(newPassword)).toMatchObject({
      status: 400,
      narration: validation.passwordPersonal,
      body: { field: 'newPassword' },
    })
})

test('registration with secret-12 is accepted', async () => {
  expect((await registering('secret-12')).status).toBe(200)
})

describe('the super admin of a first start', () => {
  const email = 'boss@example.com'
  let own: Product
  beforeEach(async () => {
    own = await startProduct()
  })
  afterEach(() => own.close())
  const first = (poolMode: 'live' | 'sandbox', superAdminPassword?: string, of = email) => {
    const config = { ...own.context.config, poolMode, superAdminPassword, superAdminEmail: of }
    return ensureSuperAdmin({ ...own.context, config })
  }

  test('may have a common password in a sandbox only', async () => {
    await expect(first('live', 'Admin123')).rejects.toThrow(
      /SUPER_ADMIN_PASSWORD: This password is too easy/,
    )
    expect(await first('sandbox', 'Admin123')).toEqual({ email, password: 'given' })
  })

  test('is mailed a link in live mode, which works once', async () => {
    await expect(first('live', undefined, 'admin@example.com')).rejects.toThrow(
      /SUPER_ADMIN_EMAIL must be set/,
    )
    expect(await first('live')).toEqual({ email, password: 'mailed' })
    expect(await first('live')).toBeUndefined()
    const mail = await own.context.db
      .selectFrom('mails')
      .select('parameters')
      .where('recipient', '=', email)
      .executeTakeFirstOrThrow()
    const { link } = mail.parameters as { link: Link }
    const payload = { token: tokenOf(own.context.keys, link), newPassword: PASSWORD }
    expect((await own.call(resetPassword, { payload })).status).toBe(200)
    expect((await own.call(resetPassword, { payload })).status).toBe(400)
    const signedIn = await own.call(login, { payload: { username: email, password: PASSWORD } })
    expect(signedIn).toMatchObject({ status: 200, body: { username: email } })
  })
})
