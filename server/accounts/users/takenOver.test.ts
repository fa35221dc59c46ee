import { acceptInvite } from '@pool/contract/accounts/invites'
import { currentUser, login } from '@pool/contract/accounts/users'
import { askProposal } from '@pool/contract/agreements/proposals'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { addApp } from '../../testing/factors.ts'
import { PASSWORD, type Person, type Product, person, startProduct } from '../../testing/product.ts'
import { type Link, tokenOf } from '../links/tokens.ts'
import { register } from './register.ts'
import { grantRole, revokeRole, suspendUser } from './roles.ts'

let product: Product
/** The only super admin, whose invites are mailed at once. */
let boss: Person
let email: string
beforeAll(async () => {
  product = await startProduct()
  boss = await person(product, ['SUPER_ADMIN'])
})
afterAll(() => product.close())
beforeEach(async () => {
  email = `${crypto.randomUUID()}@example.com`
  const stranger = { firstName: 'Sly', lastName: 'Fox', country: 'DE', from: 'tests' }
  const confirmLater = async () => undefined
  const registration = { ...stranger, email, password: PASSWORD }
  await register(product.context, registration, ['USER'], confirmLater)
})

const NEW = 'a quiet horse battery'
const signIn = (password: string) => product.call(login, { payload: { username: email, password } })
const invite = () =>
  product.call(askProposal, {
    token: boss.token,
    payload: {
      kind: 'INVITE',
      email,
      firstName: 'Grace',
      lastName: 'Hopper',
      country: 'us',
      role: 'ADMIN',
      reason: 'Joins the desk',
    },
  })
const accept = async () => {
  const { rows } = await product.database.pool.query<{ link: Link }>(
    "SELECT parameters->'link' AS link FROM mails WHERE recipient = $1 AND template = 'invite'",
    [email],
  )
  const token = tokenOf(product.context.keys, rows[0]?.link ?? { id: '', keyId: '' })
  return product.call(acceptInvite, { payload: { token, newPassword: NEW } })
}
const registered = async () =>
  (
    await product.database.pool.query(
      `SELECT first_name, country, email_confirmed_at IS NOT NULL AS proven,
        (SELECT count(*)::int FROM factors WHERE user_id = users.id) AS factors,
        (SELECT alone_by FROM user_roles WHERE user_id = users.id AND role = 'ADMIN') AS alone_by
       FROM users WHERE username = $1`,
      [email],
    )
  ).rows

test('an invitee takes over what a stranger registered', async () => {
  const { token } = (await signIn(PASSWORD)).body
  await addApp(product, { id: '', email, token })
  expect(await invite()).toMatchObject({ status: 200, body: { isInForce: true } })
  const answers = await Promise.all([accept(), accept(), accept()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  expect((await signIn(PASSWORD)).status).toBe(401)
  expect((await product.call(currentUser, { token, query: { username: email } })).status).toBe(401)
  const roles = [{ type: 'USER' }, { type: 'ADMIN' }]
  expect(await signIn(NEW)).toMatchObject({ status: 200, body: { roles } })
  expect(await registered()).toEqual([
    { first_name: 'Grace', country: 'US', proven: true, factors: 0, alone_by: boss.id },
  ])
  expect(await checkRowsAgainstTrail(product.context.db)).toMatchObject({ findings: [] })
})

test('a suspended, frozen or staff account bars the invite', async () => {
  const known = { status: 409, body: { code: 'inviteeKnown' } }
  const { superuser } = product.database
  await superuser.query(
    'UPDATE users SET frozen_at = now(), frozen_since = now() WHERE username = $1',
    [email],
  )
  expect(await invite()).toMatchObject(known)
  await superuser.query(
    'UPDATE users SET frozen_at = NULL, frozen_since = NULL WHERE username = $1',
    [email],
  )
  const by = { name: 'operator', from: 'tests' }
  await grantRole(product.context, { email, role: 'AUDITOR', by })
  expect(await invite()).toMatchObject(known)
  await revokeRole(product.context, { email, role: 'AUDITOR', by })
  const { status } = await invite()
  await suspendUser(product.context, { email, by })
  expect([status, (await accept()).status]).toEqual([200, 409])
  expect(await registered()).toMatchObject([{ first_name: 'Sly', proven: false, alone_by: null }])
})
