import { currentUser, listUsers, login, register } from '@pool/contract/accounts/users'
import { messageForStatus, succeeded } from '@pool/contract/base/messages'
import * as validation from '@pool/contract/base/validation'
import { describe, expect, test } from 'vitest'
import { PASSWORD, person, testProduct } from '../../testing/product.ts'
import { signSessionsAgain } from '../../testing/sessions.ts'
import { grantRole, revokeRole } from './roles.ts'

const product = testProduct()

const OPERATOR = { name: 'operator', from: 'operator' }

const registration = (email: string, changes: object = {}) => ({
  username: email,
  password: 'secret-enough',
  country: 'US',
  detail: { firstName: 'Ada', lastName: 'Lovelace', email },
  ...changes,
})

describe('registration', () => {
  test('creates an ordinary user without a session', async () => {
    const answer = await product.call(register, {
      query: { role: 'USER' },
      payload: registration('Ada@Example.com'),
    })
    expect(answer).toMatchObject({
      status: 200,
      successful: true,
      narration: succeeded.register,
      body: { token: '', username: 'ada@example.com' },
    })

    const signedIn = await product.call(login, {
      payload: { username: 'ada@example.com', password: 'secret-enough' },
    })
    expect(signedIn).toMatchObject({
      status: 200,
      body: { roles: [{ type: 'USER' }], username: 'ada@example.com' },
    })
  })

  test('refuses an email that is taken', async () => {
    await product.call(register, { payload: registration('twice@example.com') })
    const again = await product.call(register, { payload: registration('TWICE@example.com') })
    expect(again).toMatchObject({ status: 409, successful: false, body: { code: 'emailTaken' } })
  })

  test('creates one user for twenty simultaneous calls', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        product.call(register, { payload: registration('race@example.com') }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ])
  })

  test.each([
    [{ username: '' }, validation.emailRequired],
    [{ username: 'not an email' }, validation.emailInvalid],
    [{ password: '' }, validation.passwordRequired],
    [{ password: 'short' }, validation.passwordMinimum],
    [
      { detail: { firstName: ' ', lastName: 'Lovelace', email: 'a@example.com' } },
      validation.firstNameRequired,
    ],
    [{ detail: { firstName: 'Ada', email: 'a@example.com' } }, validation.lastNameRequired],
    [
      { detail: { firstName: 'A\u0000da', lastName: 'L', email: 'a@example.com' } },
      validation.nameCharacters,
    ],
    [
      { detail: { firstName: 'Ada\u202e', lastName: 'L', email: 'a@example.com' } },
      validation.nameCharacters,
    ],
    [
      { detail: { firstName: 'Ada', lastName: 'Love\u200blace', email: 'a@example.com' } },
      validation.nameCharacters,
    ],
  ])('refuses %j with a message', async (changes, sentence) => {
    const answer = await product.call(register, {
      payload: registration('new@example.com', changes),
    })
    expect(answer).toMatchObject({ status: 400, successful: false, narration: sentence })
  })

  test.each(['ADMIN', 'SUPER_ADMIN', 'user', 'USER,ADMIN', '', '__proto__'])(
    'as %s is refused and grants no role',
    async (role) => {
      const answer = await product.call(register, {
        query: { role },
        payload: registration(`${crypto.randomUUID()}@example.com`),
      })
      expect(answer).toMatchObject({ status: 400, narration: validation.roleNotAllowed })
    },
  )

  test('ignores roles in the payload', async () => {
    const payload = registration('sneaky@example.com', {
      role: 'ADMIN',
      roles: [{ type: 'SUPER_ADMIN' }],
      isAdmin: true,
    })
    await product.call(register, { payload })
    const { body } = await product.call(login, {
      payload: { username: 'sneaky@example.com', password: 'secret-enough' },
    })
    expect(body).toMatchObject({ roles: [{ type: 'USER' }] })
  })
})

describe('login', () => {
  test('gives one response for wrong passwords and unknown emails', async () => {
    const { email } = await person(product)
    const wrong = await product.call(login, {
      payload: { username: email, password: 'not the password' },
    })
    const unknown = await product.call(login, {
      payload: { username: 'nobody@example.com', password: 'not the password' },
    })
    expect(wrong).toEqual(unknown)
    expect(wrong).toMatchObject({ status: 401, narration: 'Invalid email or password.' })
  })

  test.each([
    [{ password: 'secret1' }, validation.emailRequired],
    [{ username: 'nope', password: 'secret1' }, validation.emailInvalid],
    [{ username: 'a@example.com' }, validation.passwordRequired],
    [{ username: 'a@example.com', password: '12345' }, validation.passwordMinimum],
  ])('refuses %j with a message', async (payload, sentence) => {
    expect(await product.call(login, { payload })).toMatchObject({
      status: 400,
      narration: sentence,
    })
  })

  test('stores neither the token nor the password in clear', async () => {
    const { email, id } = await person(product)
    const { body } = await product.call(login, { payload: { username: email, password: PASSWORD } })
    const { token } = body
    const stored = await product.database.pool.query(
      'SELECT * FROM users JOIN sessions ON user_id = users.id WHERE users.id = $1',
      [id],
    )
    expect(JSON.stringify(stored.rows)).not.toContain(token)
    expect(stored.rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

describe('sessions', () => {
  test('answers for the caller’s own user', async () => {
    const { email, id, token } = await person(product)
    const answer = await product.call(currentUser, { token, query: { username: email } })
    expect(answer).toMatchObject({
      status: 200,
      body: { id, username: email, detail: { email }, roles: [{ type: 'USER' }] },
    })
  })

  test('reveals no other user, existing or not', async () => {
    const { token } = await person(product)
    const { email } = await person(product)
    for (const username of [email, 'nobody@example.com']) {
      expect((await product.call(currentUser, { token, query: { username } })).status).toBe(403)
    }
  })

  test.each([
    ['15 minutes without a call', 'last_used_at', '15 minutes'],
    ['12 hours whatever happens', 'created_at', '12 hours'],
  ])('end after %s', async (_, column, age) => {
    const { email, id, token } = await person(product)
    const check = () => product.call(currentUser, { token, query: { username: email } })
    await product.database.superuser.query(
      `UPDATE sessions SET ${column} = now() - interval '${age}' + interval '10 seconds' WHERE user_id = $1`,
      [id],
    )
    await signSessionsAgain(product.database.superuser, product.context.keys, id)
    expect((await check()).status).toBe(200)
    await product.database.superuser.query(
      `UPDATE sessions SET ${column} = now() - interval '${age}' WHERE user_id = $1`,
      [id],
    )
    await signSessionsAgain(product.database.superuser, product.context.keys, id)
    expect(await check()).toMatchObject({ status: 401, narration: messageForStatus(401) })
  })

  test('gain or lose a role at the next call', async () => {
    const { email, token } = await person(product)
    expect((await product.call(listUsers, { token })).status).toBe(403)
    await grantRole(product.context, { email, role: 'SUPER_ADMIN', by: OPERATOR })
    expect((await product.call(listUsers, { token })).status).toBe(200)
    // The last super admin would stay.
    await person(product, ['SUPER_ADMIN'])
    await revokeRole(product.context, { email, role: 'SUPER_ADMIN', by: OPERATOR })
    expect((await product.call(listUsers, { token })).status).toBe(401)
  })
})

test('a super admin lists all users without their secrets', async () => {
  const { token, email } = await person(product, ['SUPER_ADMIN'])
  const { body, status } = await product.call(listUsers, { token })
  expect(status).toBe(200)
  expect(body[0]).toMatchObject({ username: email, roles: [{ type: 'SUPER_ADMIN' }] })
  expect(JSON.stringify(body)).not.toMatch(/argon2|password|token/i)
})
