import { validation } from '@pool/contract/messages'
import { changePassword, register } from '@pool/contract/users'
import { expect, test } from 'vitest'
import { PASSWORD, person, testProduct } from '../testing/product.ts'
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

test('only a sandbox’s super admin may have a common password', async () => {
  const given = { email: 'boss@example.com', password: 'Admin123', productName: 'Harbour Lending' }
  await expect(ensureSuperAdmin(product.context, { ...given, live: true })).rejects.toThrow(
    /SUPER_ADMIN_PASSWORD: This password is too easy/,
  )
  expect(await ensureSuperAdmin(product.context, { ...given, live: false })).toEqual({
    email: given.email,
  })
})
