import { beginTotp } from '@pool/contract/accounts/factors'
import { acceptInvite } from '@pool/contract/accounts/invites'
import { listMails, listUndelivered } from '@pool/contract/accounts/mails'
import {
  currentUser,
  forgotPassword,
  listUsers,
  login,
  resetPassword,
} from '@pool/contract/accounts/users'
import {
  approveProposal,
  askProposal,
  declineProposal,
  listProposals,
} from '@pool/contract/agreements/proposals'
import pg from 'pg'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Link, tokenOf } from '../../accounts/links/tokens.ts'
import { carryOut } from '../../accounts/passwords/passwordWork.ts'
import { LIVE } from '../../testing/live.ts'
import {
  PASSWORD,
  type Person,
  person,
  rewoundProduct,
  startProduct,
} from '../../testing/product.ts'

// Spies only. All the work is really done.
vi.mock('../../accounts/passwords/passwordWork.ts', { spy: true })

const product = rewoundProduct()
let first: Person
let second: Person
beforeEach(async () => {
  first = await person(product, ['SUPER_ADMIN'])
  second = await person(product, ['SUPER_ADMIN'])
})

const EMAIL = 'grace@example.com'
const NEW = 'a quiet horse battery'
const invitee = {
  kind: 'INVITE',
  email: EMAIL,
  firstName: 'Grace',
  lastName: 'Hopper',
  country: 'us',
  role: 'ADMIN',
  reason: 'Joins the desk',
}

const ask = (by: Person, otherwise: object = {}) =>
  product.call(askProposal, { token: by.token, payload: { ...invitee, ...otherwise } })
const asked = async (by = first, otherwise: object = {}): Promise<string> => {
  const answer = await ask(by, otherwise)
  expect(answer).toMatchObject({ status: 200, body: { isInForce: false } })
  return answer.body.id
}
const approve = (by: Person, id: string) =>
  product.call(approveProposal, { token: by.token, params: { id } })
const decline = (by: Person, id: string) =>
  product.call(declineProposal, { token: by.token, params: { id } })
const open = async () => (await product.call(listProposals, { token: first.token })).body
/** The tokens of the mails to an address, the newest first, derived as the sender does. */
const tokensTo = async (email: string, { context, database } = product): Promise<string[]> => {
  const { rows } = await database.pool.query<{ link: Link }>(
    "SELECT parameters->'link' AS link FROM mails WHERE recipient = $1 AND template = 'invite' ORDER BY id DESC",
    [email],
  )
  return rows.map(({ link }) => tokenOf(context.keys, link))
}
/** An approved invite and the token of its mail. */
const invited = async (otherwise: object = {}) => {
  const id = await asked(first, otherwise)
  expect((await approve(second, id)).status).toBe(200)
  const [token = ''] = await tokensTo(EMAIL)
  return { id, token }
}
const accept = (token: string, newPassword = NEW) =>
  product.call(acceptInvite, { payload: { token, newPassword } })
const signIn = (password = NEW) => product.call(login, { payload: { username: EMAIL, password } })
const pass = async (interval: string) => {
  const { superuser } = product.database
  await superuser.query('ALTER TABLE links DISABLE TRIGGER USER')
  await superuser.query('UPDATE links SET expires_at = expires_at - $1::interval', [interval])
  await superuser.query('ALTER TABLE links ENABLE TRIGGER USER')
}
const accounts = async () =>
  (
    await product.database.pool.query(
      'SELECT first_name, last_name, country, email_confirmed_at IS NOT NULL AS confirmed FROM users WHERE username = $1',
      [EMAIL],
    )
  ).rows
const refused = { status: 400, body: { code: 'inviteInvalid' } }

describe('an invite', () => {
  test('opens an account once two super admins agree', async () => {
    const id = await asked()
    expect(await open()).toMatchObject([
      {
        id,
        userId: null,
        about: EMAIL,
        kind: 'INVITE',
        facts: { role: 'ADMIN' },
        linkUntil: null,
      },
    ])
    expect(await tokensTo(EMAIL)).toEqual([])
    expect(await approve(first, id)).toMatchObject({ body: { code: 'ownProposal' } })
    expect((await approve(second, id)).status).toBe(200)
    expect(await open()).toMatchObject([{ id, linkUntil: expect.any(Array) }])
    expect(await accounts()).toEqual([])
    expect((await signIn()).status).toBe(401)
    const [token = ''] = await tokensTo(EMAIL)
    expect(await accept(token)).toMatchObject({
      status: 200,
      narration: 'Your account is open. Please sign in with your new password.',
      body: null,
    })
    expect(await accounts()).toEqual([
      { first_name: 'Grace', last_name: 'Hopper', country: 'US', confirmed: true },
    ])
    expect(await signIn()).toMatchObject({ status: 200, body: { roles: [{ type: 'ADMIN' }] } })
    expect(await open()).toEqual([])
    expect((await product.database.pool.query('SELECT FROM same_people()')).rows).toEqual([])
  })

  test('is on record at each step', async () => {
    const { token } = await invited()
    await accept(token)
    const { rows } = await product.database.pool.query(
      "SELECT action, actor, after->>'email' AS email FROM audit_entries WHERE action ~ '^(agreement|invite)' OR actor = $1 ORDER BY id",
      [EMAIL],
    )
    expect(rows).toEqual([
      { action: 'agreement.asked', actor: first.email, email: EMAIL },
      { action: 'agreement.approved', actor: second.email, email: EMAIL },
      { action: 'user.registered', actor: EMAIL, email: null },
      { action: 'invite.accepted', actor: EMAIL, email: null },
    ])
  })

  test.each(['AUDITOR', 'SUPER_ADMIN'])('brings the role %s alone', async (role) => {
    const { token } = await invited({ role })
    await accept(token)
    expect(await signIn()).toMatchObject({ body: { roles: [{ type: role }] } })
  })

  test.each([
    { role: 'USER' },
    { email: 'not an address' },
    { firstName: '' },
    { country: 'USA' },
    { reason: ' ' },
  ])('is refused with %j', async (otherwise) => {
    expect((await ask(first, otherwise)).status).toBe(400)
    expect(await open()).toEqual([])
  })

  test('is mailed at once by the only super admin', async () => {
    await product.database.pool.query('DELETE FROM user_roles WHERE user_id = $1', [second.id])
    expect(await ask(first)).toMatchObject({ status: 200, body: { isInForce: true } })
    const [token = ''] = await tokensTo(EMAIL)
    expect((await accept(token)).status).toBe(200)
    const same = 'SELECT is_same_person($1, id) AS same FROM users WHERE username = $2'
    const { rows } = await product.database.pool.query(same, [first.id, EMAIL])
    expect(rows).toEqual([{ same: true }])
  })

  test('to an address with an account names the role', async () => {
    const known = await person(product)
    const refusal = { status: 409, body: { code: 'inviteeKnown' } }
    expect(await ask(first, { email: known.email.toUpperCase() })).toMatchObject(refusal)
    const id = await asked(first, { email: EMAIL })
    await product.database.pool.query('UPDATE users SET username = $1 WHERE id = $2', [
      EMAIL,
      known.id,
    ])
    expect(await approve(second, id)).toMatchObject(refusal)
    expect(await tokensTo(EMAIL)).toEqual([])
  })

  test('gives no role to an account registered meanwhile', async () => {
    const { token } = await invited()
    const stranger = await person(product)
    await product.database.pool.query('UPDATE users SET username = $1 WHERE id = $2', [
      EMAIL,
      stranger.id,
    ])
    expect(await accept(token)).toMatchObject({ status: 409, body: { code: 'emailTaken' } })
    expect(await signIn(PASSWORD)).toMatchObject({ body: { roles: [{ type: 'USER' }] } })
  })

  test('of two at once to one address stands alone', async () => {
    const answers = await Promise.all([ask(first), ask(second), ask(first, { role: 'AUDITOR' })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await open()).toHaveLength(1)
    expect(await ask(first)).toMatchObject({ body: { code: 'inviteOpen' } })
    expect((await ask(first, { email: 'ada@example.com' })).status).toBe(200)
  })

  test('is mailed once of many approvals at once', async () => {
    const id = await asked()
    const third = await person(product, ['SUPER_ADMIN'])
    const answers = await Promise.all([second, third, second].map((by) => approve(by, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await tokensTo(EMAIL)).toHaveLength(1)
  })

  test('is mailed to be read by super admins alone', async () => {
    const admin = await person(product, ['ADMIN'])
    await invited()
    const readBy = async ({ token }: Person) => (await product.call(listMails, { token })).body
    expect(await readBy(admin)).toEqual([])
    expect(await readBy(second)).toMatchObject([{ recipient: EMAIL }])
    await product.database.superuser.query("UPDATE mails SET status = 'DEAD'")
    const undelivered = async ({ token }: Person) =>
      (await product.call(listUndelivered, { token })).body
    expect(await undelivered(admin)).toEqual([])
    expect(await undelivered(second)).toMatchObject([{ recipient: EMAIL, userId: null }])
  })
})

describe('the link of an invite', () => {
  test('works once, also when used twice at once', async () => {
    const { token } = await invited()
    const answers = await Promise.all([accept(token), accept(token, 'another quiet horse')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await accept(token)).toMatchObject(refused)
    expect(await accounts()).toHaveLength(1)
  })

  test('is refused when altered or of another kind', async () => {
    const { id, token } = await invited()
    const altered = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
    for (const wrong of [altered, `${token}=`, token.toUpperCase(), '', id, 'A'.repeat(43)])
      expect(await accept(wrong)).toMatchObject(refused)
    expect(
      await product.call(resetPassword, { payload: { token, newPassword: NEW } }),
    ).toMatchObject({ body: { code: 'resetLinkInvalid' } })
    await product.call(forgotPassword, { payload: { username: first.email } })
    const { rows } = await product.database.pool.query<{ link: Link }>(
      "SELECT parameters->'link' AS link FROM mails WHERE template = 'passwordReset'",
    )
    const [reset] = rows.map(({ link }) => tokenOf(product.context.keys, link))
    expect(await accept(reset ?? '')).toMatchObject(refused)
    expect((await accept(token)).status).toBe(200)
  })

  test('is refused after three days, and makes room', async () => {
    const { token } = await invited()
    await pass('71 hours')
    expect(await ask(first)).toMatchObject({ body: { code: 'inviteOpen' } })
    await pass('1 hour')
    expect(await accept(token)).toMatchObject(refused)
    expect(await open()).toEqual([])
    const again = await invited()
    expect(await accept(token)).toMatchObject(refused)
    expect((await accept(again.token)).status).toBe(200)
  })

  test('is dead once the invite is withdrawn', async () => {
    for (const by of [first, second]) {
      const { id, token } = await invited()
      expect((await decline(by, id)).status).toBe(200)
      expect(await accept(token)).toMatchObject(refused)
      expect(await decline(by, id)).toMatchObject({ body: { code: 'proposalClosed' } })
    }
    const waiting = await asked()
    expect((await decline(second, waiting)).status).toBe(200)
    expect(await approve(second, waiting)).toMatchObject({ body: { code: 'proposalClosed' } })
    await asked()
  })

  test('is used or withdrawn of both at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id, token } = await invited()
      const answers = await Promise.all([accept(token), decline(second, id)])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      await product.database.pool.query(
        "UPDATE users SET username = id || '@x.co' WHERE username = $1",
        [EMAIL],
      )
    }
  })

  test('is dead once its super admins lost their role', async () => {
    for (const gone of [first, second]) {
      const { token } = await invited()
      await product.database.pool.query('DELETE FROM user_roles WHERE user_id = $1', [gone.id])
      expect(await accept(token)).toMatchObject(refused)
      await product.database.pool.query(
        "INSERT INTO user_roles (user_id, role) VALUES ($1, 'SUPER_ADMIN')",
        [gone.id],
      )
      await pass('72 hours')
    }
  })

  test.each(['12345', 'password', 'Grace Hopper'])('stays open after %s', async (weak) => {
    const { token } = await invited()
    expect(await accept(token, weak)).toMatchObject({ status: 400, body: { field: 'newPassword' } })
    expect((await accept(token)).status).toBe(200)
  })

  test('is stored as a digest of its token alone', async () => {
    const { token } = await invited()
    const { rows } = await product.database.superuser.query(
      `SELECT (SELECT string_agg(l::text, '') FROM links AS l) || (SELECT string_agg(m::text, '') FROM mails AS m)
         || (SELECT string_agg(e::text, '') FROM audit_entries AS e) AS text`,
    )
    expect(rows[0].text).not.toContain(token)
    expect(rows[0].text).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })

  test('costs the same work when unknown, used or withdrawn', async () => {
    const { token: used } = await invited()
    await accept(used)
    await product.database.pool.query("UPDATE users SET username = 'a@b.co' WHERE username = $1", [
      EMAIL,
    ])
    const { id, token: withdrawn } = await invited()
    await decline(second, id)
    const work = async (token: string) => {
      vi.mocked(carryOut).mockClear()
      const query = vi.spyOn(pg.Client.prototype, 'query')
      const answer = await accept(token)
      const statements = query.mock.calls
        .map(([said]) => (typeof said === 'string' ? said : (said as { text: string }).text))
        .filter((text) => !/audit_(un)?seal/.test(text))
      query.mockRestore()
      return { answer, statements, hashes: vi.mocked(carryOut).mock.calls.length }
    }
    const unknown = await work('A'.repeat(43))
    expect(unknown).toMatchObject({ answer: refused, hashes: 0 })
    expect([await work(used), await work(withdrawn)]).toEqual([unknown, unknown])
  })
})

test('an invited address is as unknown as any other', async () => {
  const before = await product.call(forgotPassword, { payload: { username: EMAIL } })
  await invited()
  expect(await product.call(forgotPassword, { payload: { username: EMAIL } })).toEqual(before)
  expect(await signIn()).toMatchObject({ status: 401, body: { code: 'invalidCredentials' } })
  const { rows } = await product.database.pool.query(
    "SELECT FROM mails WHERE recipient = $1 AND template = 'passwordReset'",
    [EMAIL],
  )
  expect(rows).toEqual([])
})

test('the database keeps invites as they were asked', async () => {
  const { id } = await invited()
  const { pool } = product.database
  for (const statement of [
    "UPDATE links SET address = 'thief@example.com'",
    "UPDATE links SET token_digest = 'x'",
    "UPDATE links SET expires_at = expires_at + interval '1 hour'",
  ])
    await expect(pool.query(statement)).rejects.toThrow()
  await decline(second, id)
  await expect(pool.query('UPDATE links SET ended_at = NULL')).rejects.toThrow()
})

test('invited staff of live mode must add a factor first', async () => {
  const live = await startProduct(LIVE)
  const boss = await person(live, ['SUPER_ADMIN'])
  const payload = { ...invitee, role: 'SUPER_ADMIN' }
  expect((await live.call(askProposal, { token: boss.token, payload })).status).toBe(200)
  const [token = ''] = await tokensTo(EMAIL, live)
  expect((await live.call(acceptInvite, { payload: { token, newPassword: NEW } })).status).toBe(200)
  const signedIn = await live.call(login, { payload: { username: EMAIL, password: NEW } })
  const session = { token: signedIn.body.token }
  expect(await live.call(listUsers, session)).toMatchObject({ body: { code: 'enrolFactor' } })
  expect((await live.call(currentUser, { ...session, query: { username: EMAIL } })).status).toBe(
    200,
  )
  const begun = await live.call(beginTotp, { ...session, payload: { password: NEW } })
  expect(begun.status).toBe(200)
  await live.close()
})
