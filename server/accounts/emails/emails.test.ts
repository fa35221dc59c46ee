import { askEmailLink, changeEmail, confirmEmail } from '@pool/contract/accounts/emails'
import { freezeAccount } from '@pool/contract/accounts/sessions'
import {
  currentUser,
  forgotPassword,
  login,
  register,
  resetPassword,
} from '@pool/contract/accounts/users'
import type { Endpoint } from '@pool/contract/base/endpoint'
import pg from 'pg'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { startSession } from '../../base/sessions/sessions.ts'
import { PASSWORD, type Person, person, testProduct } from '../../testing/product.ts'
import { forgetOldLinks } from '../links/links.ts'
import { type Link, tokenOf } from '../links/tokens.ts'
import { carryOut } from '../passwords/passwordWork.ts'

// Spies only. All the work is really done.
vi.mock('../passwords/passwordWork.ts', { spy: true })

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
const newEmail = () => `${crypto.randomUUID()}@example.com`

type SentRequest = { readonly token?: string; readonly ip?: string }
const send = async (
  endpoint: Endpoint,
  payload: object | undefined,
  { token, ip = somewhere() }: SentRequest = {},
) => {
  const answer = await product.app.inject({
    method: endpoint.method,
    url: endpoint.path,
    headers: {
      'x-forwarded-for': ip,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, ...answer.json<{ narration: string; body: unknown }>() }
}
const rows = async <Row>(text: string, values: unknown[] = []) =>
  (await product.database.superuser.query(text, values)).rows as Row[]

/** Registers over HTTP, so that the address is not confirmed. */
const newcomer = async (): Promise<Person> => {
  const email = newEmail()
  const detail = { firstName: 'New', lastName: 'Comer', email }
  const { status, body } = await send(register, { username: email, password: PASSWORD, detail })
  expect(status).toBe(200)
  const { userId: id } = body as { userId: string }
  return { id, email, token: await startSession(product.context, id) }
}
/** The token of the newest mail to an address. */
const mailedTo = async (email: string, template: string): Promise<string> => {
  const [mail] = await rows<{ link: Link }>(
    "SELECT parameters->'link' AS link FROM mails WHERE recipient = $1 AND template = $2 ORDER BY id DESC LIMIT 1",
    [email, template],
  )
  if (!mail) throw new Error('no mail was written')
  return tokenOf(product.context.keys, mail.link)
}
const templatesTo = async (email: string): Promise<string[]> =>
  (
    await rows<{ template: string }>(
      'SELECT template FROM mails WHERE recipient = $1 ORDER BY id',
      [email],
    )
  ).map(({ template }) => template)
const press = (token: string) => send(confirmEmail, { token })
const askAgain = ({ token }: Person) => send(askEmailLink, undefined, { token })
const change = ({ token }: Person, email: string, more: SentRequest & { password?: string } = {}) =>
  send(changeEmail, { password: more.password ?? PASSWORD, email }, { token, ...more })
/** Asks for a change and returns the token of the link in the new mailbox. */
const asked = async (who: Person, email: string): Promise<string> => {
  expect((await change(who, email)).status).toBe(200)
  return mailedTo(email, 'emailChange')
}
const signIn = async (email: string, password = PASSWORD) =>
  (await send(login, { username: email, password })).status
const ownOf = async ({ token, email }: Person) =>
  (await product.call(currentUser, { token, query: { username: email } })).body
const refused = { status: 400, body: { code: 'emailLinkInvalid' } }
const confirmed = (email: string) => ({ status: 200, body: { email, changed: false } })
const changed = (email: string) => ({ status: 200, body: { email, changed: true } })

describe('a registration', () => {
  test('mails a link that confirms the address once', async () => {
    const who = await newcomer()
    expect(await templatesTo(who.email)).toEqual(['emailConfirm'])
    expect(await ownOf(who)).toMatchObject({ emailConfirmed: false })
    const token = await mailedTo(who.email, 'emailConfirm')
    expect(await press(token)).toMatchObject(confirmed(who.email))
    expect(await ownOf(who)).toMatchObject({ emailConfirmed: true })
    expect(await press(token)).toMatchObject(refused)
    expect(await askAgain(who)).toMatchObject({ status: 409, body: { code: 'emailConfirmed' } })
  })

  test('stores its link as a digest alone', async () => {
    const { id, email } = await newcomer()
    const token = await mailedTo(email, 'emailConfirm')
    const [link] = await rows<{ text: string; hours: number }>(
      `SELECT l::text || (SELECT string_agg(m::text, '') FROM mails AS m) || (SELECT string_agg(e::text, '') FROM audit_entries AS e) AS text,
         extract(epoch FROM expires_at - created_at)::int / 3600 AS hours FROM links AS l WHERE user_id = $1`,
      [id],
    )
    expect(link?.hours).toBe(24)
    expect(link?.text).not.toContain(token)
    expect(link?.text).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })

  test('leaves a second link open until one is used', async () => {
    const who = await newcomer()
    const first = await mailedTo(who.email, 'emailConfirm')
    expect(await askAgain(who)).toMatchObject({ status: 200, body: null })
    const second = await mailedTo(who.email, 'emailConfirm')
    expect(second).not.toBe(first)
    expect(await press(second)).toMatchObject(confirmed(who.email))
    expect(await press(first)).toMatchObject(refused)
  })

  test('is confirmed by a mailed new password, too', async () => {
    const who = await newcomer()
    await send(forgotPassword, { username: who.email })
    const token = await mailedTo(who.email, 'passwordReset')
    expect((await send(resetPassword, { token, newPassword: NEW })).status).toBe(200)
    const session = await startSession(product.context, who.id)
    expect(await ownOf({ ...who, token: session })).toMatchObject({ emailConfirmed: true })
  })
})

describe('a link', () => {
  test('that is altered, or a foreign one, is refused', async () => {
    const who = await newcomer()
    const token = await mailedTo(who.email, 'emailConfirm')
    await send(forgotPassword, { username: who.email })
    const altered = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
    const foreign = await mailedTo(who.email, 'passwordReset')
    for (const wrong of [altered, `${token}=`, foreign, '', who.id, 'A'.repeat(43), "'"])
      expect(await press(wrong)).toMatchObject(refused)
    const reset = { token, newPassword: NEW }
    expect((await send(resetPassword, reset)).status).toBe(400)
    expect(await press(token)).toMatchObject(confirmed(who.email))
  })

  test('is refused after twenty-four hours', async () => {
    const who = await newcomer()
    const token = await mailedTo(who.email, 'emailConfirm')
    const age = (interval: string) =>
      rows('UPDATE links SET expires_at = expires_at - $1::interval WHERE user_id = $2', [
        interval,
        who.id,
      ])
    await age('24 hours')
    expect(await press(token)).toMatchObject(refused)
    expect(await ownOf(who)).toMatchObject({ emailConfirmed: false })
    await age('25 hours')
    expect(await forgetOldLinks(product.context.db)).toBe(1)
  })

  test.each(['confirmation', 'change'])('of a %s lets one of two uses win', async (kind) => {
    const who = await newcomer()
    const email = newEmail()
    const token =
      kind === 'change' ? await asked(who, email) : await mailedTo(who.email, 'emailConfirm')
    const answers = await Promise.all([press(token), press(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })
})

describe('a change', () => {
  test('needs a press in the new mailbox', async () => {
    const elsewhere = await startSession(product.context, someone.id)
    const email = newEmail()
    // In lower case from then on, as registration stores it.
    expect((await change(someone, ` ${email.toUpperCase()}`)).status).toBe(200)
    const token = await mailedTo(email, 'emailChange')
    expect([await signIn(email), await signIn(someone.email)]).toEqual([401, 200])
    expect(await press(token)).toMatchObject(changed(email))
    expect([await signIn(email), await signIn(someone.email)]).toEqual([200, 401])
    for (const session of [someone.token, elsewhere])
      expect(
        (await product.call(currentUser, { token: session, query: { username: email } })).status,
      ).toBe(401)
    expect(await press(token)).toMatchObject(refused)
    const session = await startSession(product.context, someone.id)
    expect(await ownOf({ ...someone, email, token: session })).toMatchObject({
      id: someone.id,
      username: email,
      emailConfirmed: true,
      withdrawalsRestUntil: expect.any(Array),
    })
  })

  test('is told to the old address and on record', async () => {
    const email = newEmail()
    await press(await asked(someone, email))
    expect(await templatesTo(someone.email)).toEqual(['emailChangeAsked', 'emailChanged'])
    expect(await templatesTo(email)).toEqual(['emailChange'])
    const entries = await rows(
      "SELECT action, actor, before, after FROM audit_entries WHERE owner_id = $1 AND action LIKE 'email.%' ORDER BY id",
      [someone.id],
    )
    const states = { actor: someone.email, before: { email: someone.email }, after: { email } }
    expect(entries).toEqual([
      { action: 'email.changeAsked', ...states },
      { action: 'email.changed', ...states },
    ])
  })

  test('replaces an open one', async () => {
    const [first, second] = [newEmail(), newEmail()]
    const old = await asked(someone, first)
    const token = await asked(someone, second)
    expect(await press(old)).toMatchObject(refused)
    expect(await press(token)).toMatchObject(changed(second))
  })

  test('leaves an open confirmation of the old address', async () => {
    const who = await newcomer()
    const email = newEmail()
    const changing = await asked(who, email)
    const confirming = await mailedTo(who.email, 'emailConfirm')
    expect(await press(confirming)).toMatchObject(confirmed(who.email))
    expect(await askAgain(who)).toMatchObject({ status: 409 })
    expect(await press(changing)).toMatchObject(changed(email))
  })

  test('ends links to the old mailbox', async () => {
    const who = await newcomer()
    const confirming = await mailedTo(who.email, 'emailConfirm')
    await send(forgotPassword, { username: who.email })
    const reset = await mailedTo(who.email, 'passwordReset')
    await press(await asked(who, newEmail()))
    expect(await press(confirming)).toMatchObject(refused)
    expect((await send(resetPassword, { token: reset, newPassword: NEW })).status).toBe(400)
  })

  test('needs the password, another address and a thawed account', async () => {
    const wrong = await change(someone, newEmail(), { password: 'not the password' })
    expect(wrong).toMatchObject({ status: 403, body: { code: 'wrongPassword' } })
    expect(await change(someone, someone.email.toUpperCase())).toMatchObject({
      status: 409,
      body: { code: 'emailUnchanged' },
    })
    await rows('UPDATE users SET frozen_at = now(), frozen_since = now() WHERE id = $1', [
      someone.id,
    ])
    expect(await change(someone, newEmail())).toMatchObject({
      status: 403,
      body: { code: 'accountFrozen' },
    })
    expect(await templatesTo(someone.email)).toEqual([])
  })

  test('is refused to an address taken meanwhile', async () => {
    const email = newEmail()
    const token = await asked(someone, email)
    const detail = { firstName: 'New', lastName: 'Comer', email }
    await send(register, { username: email, password: NEW, detail })
    expect(await press(token)).toMatchObject({
      status: 409,
      body: { code: 'emailTakenMeanwhile' },
    })
    expect(await signIn(someone.email)).toBe(200)
  })

  test('of two users to one address lets one win', async () => {
    const other = await person(product)
    const email = newEmail()
    const tokens = [await asked(someone, email), await asked(other, email)]
    const answers = await Promise.all(tokens.map(press))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('does the same work for a taken address', async () => {
    const other = await person(product)
    const work = async (email: string) => {
      vi.mocked(carryOut).mockClear()
      const query = vi.spyOn(pg.Client.prototype, 'query')
      const answer = await change(someone, email)
      const statements = query.mock.calls
        .map(([text]) => (typeof text === 'string' ? text : (text as { text: string }).text))
        .filter((text) => !/audit_(un)?seal/.test(text))
      query.mockRestore()
      return { answer, statements, hashes: vi.mocked(carryOut).mock.calls.length }
    }
    await work(newEmail())
    const free = await work(newEmail())
    const taken = await work(other.email)
    expect(free.statements.length).toBeGreaterThan(8)
    expect(free).toMatchObject({ hashes: 1, answer: { status: 200, body: null } })
    expect(taken).toEqual(free)
    expect(await templatesTo(other.email)).toEqual(['emailTaken'])
    const links = await rows("SELECT FROM links WHERE kind = 'CHANGE' AND address = $1", [
      other.email,
    ])
    expect(links).toHaveLength(0)
  })
})

describe('a freeze by the mail to the old address', () => {
  const freeze = (token: string) => send(freezeAccount, { token })

  test('ends an open change', async () => {
    const token = await asked(someone, newEmail())
    expect((await freeze(await mailedTo(someone.email, 'emailChangeAsked'))).status).toBe(200)
    expect(await press(token)).toMatchObject(refused)
  })

  test.each(['emailChangeAsked', 'emailChanged'])('gives it back by %s', async (template) => {
    const thief = newEmail()
    await press(await asked(someone, thief))
    await send(forgotPassword, { username: thief })
    const reset = await mailedTo(thief, 'passwordReset')
    expect((await freeze(await mailedTo(someone.email, template))).status).toBe(200)
    expect([await signIn(thief), await signIn(someone.email)]).toEqual([401, 200])
    expect((await send(resetPassword, { token: reset, newPassword: NEW })).status).toBe(400)
    expect(await templatesTo(someone.email)).toContain('accountFrozen')
    const [user] = await rows(
      'SELECT username, frozen_at IS NOT NULL AS frozen FROM users WHERE id = $1',
      [someone.id],
    )
    expect(user).toEqual({ username: someone.email, frozen: true })
  })

  test('keeps the old address from everybody else', async () => {
    await press(await asked(someone, newEmail()))
    const detail = { firstName: 'A', lastName: 'Thief', email: someone.email }
    const taken = await send(register, { username: someone.email, password: NEW, detail })
    expect(taken).toMatchObject({ status: 409, body: { code: 'emailTaken' } })
    const other = await person(product)
    expect((await change(other, someone.email)).status).toBe(200)
    expect(await templatesTo(someone.email)).not.toContain('emailChange')
  })
})

describe('mails', () => {
  test('are limited per address, user and range of IPs', async () => {
    const statuses = async (count: number, ask: (n: number) => Promise<{ status: number }>) => {
      const answers = []
      for (let n = 0; n < count; n += 1) answers.push((await ask(n)).status)
      return answers
    }
    const victim = newEmail()
    expect(await statuses(4, () => change(someone, victim))).toEqual([200, 200, 200, 429])
    const other = await person(product)
    expect(await change(other, victim)).toMatchObject({ body: { code: 'tooManyEmailLinks' } })
    expect(await statuses(5, () => change(other, newEmail()))).toEqual([200, 200, 200, 200, 429])
    const who = await newcomer()
    expect(await statuses(4, () => askAgain(who))).toEqual([200, 200, 200, 429])
    const many = await Promise.all(Array.from({ length: 12 }, () => person(product)))
    const range = (n: number) => change(many[n] as Person, newEmail(), { ip: `2001:db8:9:${n}::1` })
    expect(await statuses(12, range)).toEqual([...Array(10).fill(200), 429, 429])
  })
})
