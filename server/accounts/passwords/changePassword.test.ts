import { changePassword, login } from '@pool/contract/accounts/users'
import { beforeEach, expect, test } from 'vitest'
import { startSession } from '../../base/sessions/sessions.ts'
import { PASSWORD, type Person, person, testProduct } from '../../testing/product.ts'

const NEW = 'a quieter horse battery'

const product = testProduct({ RATE_LIMITS: 'on' })
let someone: Person
beforeEach(async () => {
  await product.database.superuser.query('TRUNCATE login_throttles')
  someone = await person(product)
})

const change = (payload: object, token = someone.token) =>
  product.call(changePassword, { token, payload })
const signIn = async (password: string) =>
  (await product.call(login, { payload: { username: someone.email, password } })).status
/**
 * Status of a change to a forbidden password with this token. 400 means that the token is valid.
 */
const statusOf = async (token: string) =>
  (await change({ password: PASSWORD, newPassword: 'password' }, token)).status
const recorded = async () => {
  const { rows } = await product.database.pool.query<{ action: string; text: string }>(
    "SELECT action, e::text AS text FROM audit_entries AS e WHERE subject_id = $1 AND action <> 'user.registered' ORDER BY id",
    [someone.id],
  )
  return rows
}

test('a changed password ends all sessions and starts one', async () => {
  const copies = [
    someone.token,
    await startSession(product.context, someone.id),
    await startSession(product.context, someone.id),
  ]
  const answer = await change({ password: PASSWORD, newPassword: NEW })
  expect(answer).toMatchObject({
    status: 200,
    narration: 'Password changed. You are signed in here only.',
    body: { token: expect.any(String) },
  })
  for (const token of copies) expect(await statusOf(token)).toBe(401)
  expect(await statusOf(answer.body.token)).toBe(400)
  expect([await signIn(PASSWORD), await signIn(NEW)]).toEqual([401, 200])
  const entries = await recorded()
  expect(entries.map(({ action }) => action)).toEqual([
    'password.changed',
    'session.refused',
    'session.started',
  ])
  for (const { text } of entries) expect(text).not.toMatch(/horse|argon2/)
})

test('a changed password is told by mail', async () => {
  const { statusCode } = await product.app.inject({
    method: changePassword.method,
    url: changePassword.path,
    headers: { authorization: `Bearer ${someone.token}`, 'accept-language': 'es-MX, en;q=0.5' },
    payload: { password: PASSWORD, newPassword: NEW },
  })
  expect(statusCode).toBe(200)
  const { rows } = await product.database.pool.query(
    'SELECT template, language, recipient, parameters FROM mails WHERE user_id = $1',
    [someone.id],
  )
  expect(rows).toEqual([
    {
      template: 'passwordChanged',
      language: 'es',
      recipient: someone.email,
      parameters: {
        firstName: 'Test',
        at: expect.any(String),
        restsUntil: null,
        link: expect.any(Object),
        until: expect.any(String),
      },
    },
  ])
})

test('a wrong current password changes nothing and is recorded', async () => {
  expect(await change({ password: 'not this one', newPassword: NEW })).toMatchObject({
    status: 403,
    narration: 'The current password is not right.',
    body: { code: 'wrongPassword' },
  })
  expect(await statusOf(someone.token)).toBe(400)
  expect([await signIn(PASSWORD), await signIn(NEW)]).toEqual([200, 401])
  expect((await recorded())[0]).toMatchObject({
    action: 'session.refused',
    text: expect.stringContaining('wrongPassword'),
  })
})

test('a session cannot be used to guess the password', async () => {
  const statuses = []
  for (let n = 0; n < 12; n += 1)
    statuses.push((await change({ password: `guess number ${n}`, newPassword: NEW })).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429, 429])
  expect((await change({ password: PASSWORD, newPassword: NEW })).status).toBe(429)
})

test('a password is changed five times an hour at most', async () => {
  const passwords = [PASSWORD, ...Array.from({ length: 6 }, (_, n) => `${NEW} ${n}`)]
  const statuses: number[] = []
  let { token } = someone
  for (let n = 0; n < 6; n += 1) {
    const answer = await change({ password: passwords[n], newPassword: passwords[n + 1] }, token)
    statuses.push(answer.status)
    if (answer.status === 200) token = answer.body.token
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

test.each(['12345', 'password', 'Peer Lending Pool'])(
  '%s is refused as a new password',
  async (newPassword) => {
    expect(await change({ password: PASSWORD, newPassword })).toMatchObject({
      status: 400,
      body: { field: 'newPassword' },
    })
    expect(await signIn(PASSWORD)).toBe(200)
  },
)

test('one of two simultaneous changes succeeds', async () => {
  const second = await startSession(product.context, someone.id)
  const choices = ['a first new password', 'a second new password']
  const answers = await Promise.all(
    [someone.token, second].map((token, n) =>
      change({ password: PASSWORD, newPassword: choices[n] }, token),
    ),
  )
  const winner = answers.findIndex(({ status }) => status === 200)
  // The other finds its session ended or its password changed.
  expect([401, 403]).toContain(answers[1 - winner]?.status)
  expect([await signIn(choices[winner] ?? ''), await signIn(choices[1 - winner] ?? '')]).toEqual([
    200, 401,
  ])
})
