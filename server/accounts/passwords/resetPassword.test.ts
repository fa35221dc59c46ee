import {
  changePassword,
  currentUser,
  forgotPassword,
  login,
  resetPassword,
} from '@pool/contract/accounts/users'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { withdraw } from '@pool/contract/requests/requests'
import pg from 'pg'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { startSession } from '../../base/sessions/sessions.ts'
import { investorWith, PASSWORD, type Person, person, testProduct } from '../../testing/product.ts'
import { forgetOldLinks } from '../links/links.ts'
import { type Link, tokenOf } from '../links/tokens.ts'
import { carryOut } from './passwordWork.ts'

// Spies only. All the work is really done.
vi.mock('./passwordWork.ts', { spy: true })

const NEW = 'a quieter horse battery'

const product = testProduct({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
let someone: Person
beforeEach(async () => {
  await product.database.superuser.query('TRUNCATE login_throttles')
  someone = await person(product)
})

let addresses = 0
/** A new IP each time, since each has a limit of its own. */
const somewhere = (): string => {
  addresses += 1
  return `198.51.${addresses >> 8}.${addresses & 255}`
}
const from = async (endpoint: Endpoint, payload: object, ip = somewhere()) => {
  const answer = await product.app.inject({
    method: endpoint.method,
    url: endpoint.path,
    headers: { 'x-forwarded-for': ip },
    payload,
  })
  return { status: answer.statusCode, ...answer.json<{ narration: string; body: unknown }>() }
}
const forget = (username: string, ip?: string) => from(forgotPassword, { username }, ip)
const reset = (token: string, newPassword = NEW) => from(resetPassword, { token, newPassword })
/** The token of the newest mail to a person, derived as the sender does. */
const mailedTo = async ({ id }: Person): Promise<string> => {
  const { rows } = await product.database.pool.query<{ link: Link }>(
    "SELECT parameters->'link' AS link FROM mails WHERE user_id = $1 AND template = 'passwordReset' ORDER BY id DESC LIMIT 1",
    [id],
  )
  if (!rows[0]) throw new Error('no mail was written')
  return tokenOf(product.context.keys, rows[0].link)
}
const askedBy = async (who: Person): Promise<string> => {
  expect((await forget(who.email)).status).toBe(200)
  return mailedTo(who)
}
const signIn = async (password: string, { email } = someone) =>
  (await product.call(login, { payload: { username: email, password } })).status
const isSignedIn = async (token: string, { email } = someone) =>
  (await product.call(currentUser, { token, query: { username: email } })).status === 200
const refused = { status: 400, body: { code: 'resetLinkInvalid' } }

describe('a mailed link', () => {
  test('sets a password once and ends all sessions', async () => {
    const elsewhere = await startSession(product.context, someone.id)
    const token = await askedBy(someone)
    expect(await reset(token)).toMatchObject({
      status: 200,
      narration: 'Your new password is saved. Please sign in with it.',
      body: null,
    })
    expect([await isSignedIn(someone.token), await isSignedIn(elsewhere)]).toEqual([false, false])
    expect([await signIn(PASSWORD), await signIn(NEW)]).toEqual([401, 200])
    expect(await reset(token, 'another quiet horse')).toMatchObject(refused)
    expect(await signIn(NEW)).toBe(200)
  })

  test('is stored as a digest of its token alone', async () => {
    const token = await askedBy(someone)
    const { rows } = await product.database.superuser.query(
      `SELECT r::text || (SELECT string_agg(m::text, '') FROM mails AS m) || (SELECT string_agg(e::text, '') FROM audit_entries AS e) AS text,
         extract(epoch FROM expires_at - created_at)::int AS seconds
       FROM links AS r WHERE user_id = $1`,
      [someone.id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].seconds).toBe(1_800)
    expect(rows[0].text).not.toContain(token)
    expect(rows[0].text).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })

  test('that is altered or of no request is refused', async () => {
    const token = await askedBy(someone)
    const { id } = (
      await product.database.pool.query('SELECT id FROM links WHERE user_id = $1', [someone.id])
    ).rows[0]
    const altered = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
    for (const wrong of [altered, `${token}=`, token.toUpperCase(), '', id, 'A'.repeat(43), "'"])
      expect(await reset(wrong)).toMatchObject(refused)
    expect((await reset(token)).status).toBe(200)
  })

  test('is refused after thirty minutes', async () => {
    const token = await askedBy(someone)
    const age = (interval: string) =>
      product.database.superuser.query(
        'UPDATE links SET expires_at = expires_at - $1::interval WHERE user_id = $2',
        [interval, someone.id],
      )
    await age('29 minutes')
    expect((await reset(token, 'password')).status).toBe(400)
    await age('1 minute')
    expect(await reset(token)).toMatchObject(refused)
    expect(await signIn(PASSWORD)).toBe(200)
    await age('25 hours')
    expect(await forgetOldLinks(product.context.db)).toBe(1)
  })

  test('changes its own owner’s password only', async () => {
    const other = await person(product)
    const token = await askedBy(someone)
    await askedBy(other)
    expect((await reset(token)).status).toBe(200)
    expect([await signIn(PASSWORD, other), await signIn(NEW, other)]).toEqual([200, 401])
    expect(await isSignedIn(other.token, other)).toBe(true)
    expect((await reset(await mailedTo(other))).status).toBe(200)
  })

  test('ends the other links of its owner', async () => {
    const first = await askedBy(someone)
    const second = await askedBy(someone)
    expect((await reset(second)).status).toBe(200)
    expect(await reset(first)).toMatchObject(refused)
  })

  test.each([0, 1])('of two used at once lets one win (%i)', async (other) => {
    const first = await askedBy(someone)
    const tokens = [first, other === 0 ? first : await askedBy(someone)]
    const choices = ['a first new password', 'a second new password']
    const answers = await Promise.all(tokens.map((token, n) => reset(token, choices[n])))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect([await signIn(choices[winner] ?? ''), await signIn(choices[1 - winner] ?? '')]).toEqual([
      200, 401,
    ])
  })

  test.each(['12345', 'password', 'Peer Lending Pool', 'Test Person'])(
    'stays open after the weak password %s',
    async (weak) => {
      const token = await askedBy(someone)
      expect(await reset(token, weak)).toMatchObject({
        status: 400,
        body: { field: 'newPassword' },
      })
      expect((await reset(token)).status).toBe(200)
    },
  )

  test('is told by mail and on the audit trail', async () => {
    await reset(await askedBy(someone))
    const { rows: mails } = await product.database.pool.query(
      "SELECT template, recipient, parameters->>'restsUntil' AS rests FROM mails WHERE user_id = $1 ORDER BY id",
      [someone.id],
    )
    expect(mails).toEqual([
      { template: 'passwordReset', recipient: someone.email, rests: null },
      { template: 'passwordChanged', recipient: someone.email, rests: expect.any(String) },
    ])
    const { rows } = await product.database.pool.query(
      "SELECT action, actor, actor_id FROM audit_entries WHERE owner_id = $1 AND action LIKE 'password.%' ORDER BY id",
      [someone.id],
    )
    expect(rows).toEqual([
      { action: 'password.resetAsked', actor: someone.email, actor_id: null },
      { action: 'password.reset', actor: someone.email, actor_id: someone.id },
    ])
  })
})

describe('asking for a link', () => {
  test('does the same work for an unknown email', async () => {
    const work = async (username: string) => {
      vi.mocked(carryOut).mockClear()
      const query = vi.spyOn(pg.Client.prototype, 'query')
      const answer = await forget(username)
      const statements = query.mock.calls
        .map(([asked]) => (typeof asked === 'string' ? asked : (asked as { text: string }).text))
        .filter((text) => !/audit_(un)?seal/.test(text))
      query.mockRestore()
      return { answer, statements, hashes: vi.mocked(carryOut).mock.calls.length }
    }
    await work(someone.email)
    const known = await work(someone.email)
    const unknown = await work('nobody@example.com')
    expect(known.statements.length).toBeGreaterThan(5)
    expect(known.hashes).toBe(0)
    expect(unknown).toEqual(known)
    expect(known.answer).toEqual({
      status: 200,
      successful: true,
      narration: 'If there is an account with this email, a link is on its way.',
      body: null,
    })
  })

  test('is limited per email, known or not', async () => {
    for (const email of [someone.email, 'nobody@example.com']) {
      const answers = []
      for (let n = 0; n < 5; n += 1) answers.push((await forget(email)).status)
      expect(answers).toEqual([200, 200, 200, 429, 429])
      expect(await forget(email)).toMatchObject({
        narration:
          'Several emails were asked for already. Please look for them in your mailbox, or try again in 30 min.',
        body: { code: 'tooManyResets' },
      })
    }
    const { rowCount } = await product.database.pool.query('SELECT FROM mails WHERE user_id = $1', [
      someone.id,
    ])
    expect(rowCount).toBe(3)
    await product.database.superuser.query(
      "UPDATE login_throttles SET last_at = last_at - interval '30 minutes'",
    )
    expect((await forget(someone.email)).status).toBe(200)
  })

  test('is open again once an act ended its links', async () => {
    for (let n = 0; n < 3; n += 1) await forget(someone.email)
    expect((await forget(someone.email)).status).toBe(429)
    const old = await mailedTo(someone)
    const payload = { password: PASSWORD, newPassword: NEW }
    const changed = await product.call(changePassword, { token: someone.token, payload })
    expect(changed.status).toBe(200)
    expect(await reset(old)).toMatchObject(refused)
    expect((await reset(await askedBy(someone), PASSWORD)).status).toBe(200)
  })

  test('is limited per range of IPs', async () => {
    const answers = []
    for (let n = 0; n < 12; n += 1)
      answers.push((await forget(`${n}@example.com`, `2001:db8:9:${n}::1`)).status)
    expect(answers).toEqual([...Array(10).fill(200), 429, 429])
    expect((await forget('other@example.com', '2001:db8:a::1')).status).toBe(200)
  })

  test('tells nothing of a suspension', async () => {
    const known = await forget(someone.email)
    await product.database.superuser.query('UPDATE users SET suspended_at = now() WHERE id = $1', [
      someone.id,
    ])
    expect(await forget(someone.email)).toEqual(known)
    expect((await reset(await mailedTo(someone))).status).toBe(200)
    expect(await signIn(NEW)).toBe(403)
  })
})

test('withdrawals rest for a day after a reset', async () => {
  const investor = await investorWith(product, 100)
  const ask = (token: string, key?: string) =>
    product.call(withdraw, {
      token,
      payload: { userId: investor.id, amount: 10 },
      ...(key !== undefined && { key }),
    })
  const restOf = async (token: string) =>
    (await product.call(currentUser, { token, query: { username: investor.email } })).body
  expect((await ask(investor.token)).status).toBe(200)
  expect(await restOf(investor.token)).toMatchObject({ withdrawalsRestUntil: null })
  await reset(await askedBy(investor))
  const token = await startSession(product.context, investor.id)
  const refusedAnswer = await ask(token, 'one-key')
  expect(refusedAnswer).toMatchObject({
    status: 409,
    narration: expect.stringMatching(/requested again from \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/),
    body: { code: 'withdrawalsRest', details: { until: expect.any(Array) } },
  })
  expect(await restOf(token)).toMatchObject({ withdrawalsRestUntil: expect.any(Array) })
  const rest = (interval: string) =>
    product.database.superuser.query(
      'UPDATE users SET withdrawals_rest_until = now() + $1::interval WHERE id = $2',
      [interval, investor.id],
    )
  const { rows } = await product.database.pool.query(
    'SELECT round(extract(epoch FROM withdrawals_rest_until - now()) / 60)::int AS minutes FROM users WHERE id = $1',
    [investor.id],
  )
  expect(rows).toEqual([{ minutes: 1_440 }])
  await rest('1 minute')
  expect((await ask(token, 'one-key')).status).toBe(409)
  await rest('-1 second')
  // The refusal left the key free.
  expect((await ask(token, 'one-key')).status).toBe(200)
  expect(await restOf(token)).toMatchObject({ withdrawalsRestUntil: null })
})
