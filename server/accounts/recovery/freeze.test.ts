import { freezeAccount, listSessions } from '@pool/contract/accounts/sessions'
import {
  changePassword,
  currentUser,
  forgotPassword,
  listUsers,
  login,
  resetPassword,
} from '@pool/contract/accounts/users'
import { askProposal } from '@pool/contract/agreements/proposals'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { cents } from '@pool/contract/base/money'
import type { Refusal } from '@pool/contract/base/refusals'
import { savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import { listAudit } from '@pool/contract/reports/audit'
import { approve, reject } from '@pool/contract/requests/decisions'
import { cancel, withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { shareSql } from '../../base/locks.ts'
import { startSession } from '../../base/sessions/sessions.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { cancelRequest } from '../../requests/transactions/cancelRequest.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { newAddress } from '../../testing/addresses.ts'
import { addApp } from '../../testing/factors.ts'
import {
  balanceOf,
  investorWith,
  PASSWORD,
  type Person,
  type Product,
  person,
  startProduct,
} from '../../testing/product.ts'
import { forgetOldLinks } from '../links/links.ts'
import { type Link, tokenOf } from '../links/tokens.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15'
const NEW = 'a quieter horse battery'

let product: Product
let someone: Person
beforeAll(async () => {
  product = await startProduct({ TRUST_PROXY: 'loopback' })
})
afterAll(() => product.close())
beforeEach(async () => {
  someone = await person(product)
})

type From = { readonly ip?: string; readonly userAgent?: string; readonly language?: string }
const send = async (endpoint: Endpoint, payload: object, from: From = {}) => {
  const { ip = '203.0.113.9', userAgent = FIREFOX, language = 'en' } = from
  const answer = await product.app.inject({
    method: endpoint.method,
    url: endpoint.path,
    headers: { 'x-forwarded-for': ip, 'user-agent': userAgent, 'accept-language': language },
    payload,
  })
  return { status: answer.statusCode, ...answer.json<{ narration: string; body: unknown }>() }
}
const signIn = async (from?: From, { email } = someone, password = PASSWORD, factor?: object) => {
  const payload = { username: email, password, ...(factor && { factor }) }
  const { status, body } = await send(login, payload, from)
  return { status, ...(body as { token: string; roles: { type: string }[] }) }
}
const freeze = (token: string) => send(freezeAccount, { token })
const rows = async <Row>(text: string, ...values: unknown[]) =>
  (await product.database.superuser.query(text, values)).rows as Row[]
type WrittenMail = {
  readonly template: string
  readonly language: string
  readonly recipient: string
  readonly parameters: { readonly link: Link } & Readonly<Record<string, unknown>>
}
const mailsTo = ({ id }: Person) =>
  rows<WrittenMail>(
    'SELECT template, language, recipient, parameters FROM mails WHERE user_id = $1 ORDER BY id',
    id,
  )
/** The token of the newest mail with this template. */
const mailed = async (template: string, to = someone): Promise<string> => {
  const mail = (await mailsTo(to)).findLast((each) => each.template === template)
  if (!mail) throw new Error('no such mail was written')
  return tokenOf(product.context.keys, mail.parameters.link)
}
/** Signs in from a known and from a new device. Returns the token of the mailed link. */
const mailedLink = async (who = someone): Promise<string> => {
  await signIn({}, who)
  await signIn({ userAgent: SAFARI }, who)
  return mailed('newDevice', who)
}
const frozen = async (who = someone): Promise<void> => {
  expect((await freeze(await mailedLink(who))).status).toBe(200)
}
const ownOf = async (token: string, { email } = someone) =>
  (await product.call(currentUser, { token, query: { username: email } })).body
const invalid = { status: 400, body: { code: 'freezeLinkInvalid' } }

describe('a freeze link', () => {
  test('ends all sessions and can be used once', async () => {
    const token = await mailedLink()
    expect(await freeze(token)).toMatchObject({
      status: 200,
      narration: 'Your account is frozen, and every device is signed out.',
    })
    expect((await product.call(listSessions, { token: someone.token })).status).toBe(401)
    expect(await freeze(token)).toMatchObject(invalid)
    const { status, token: own } = await signIn()
    expect(status).toBe(200)
    expect(await ownOf(own)).toMatchObject({ frozen: true })
    expect((await mailsTo(someone)).map(({ template }) => template)).toEqual([
      'newDevice',
      'accountFrozen',
      'newDevice',
    ])
  })

  test('that is altered, foreign or old freezes nothing', async () => {
    const other = await person(product)
    const token = await mailedLink()
    const foreign = await mailedLink(other)
    const altered = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
    for (const wrong of [altered, `${token}=`, '', 'A'.repeat(43), "'"])
      expect(await freeze(wrong)).toMatchObject(invalid)
    await rows(
      "UPDATE links SET expires_at = expires_at - interval '7 days' WHERE user_id = $1",
      someone.id,
    )
    expect(await freeze(token)).toMatchObject(invalid)
    expect(await ownOf(someone.token)).toMatchObject({ frozen: false })
    expect((await freeze(foreign)).status).toBe(200)
    expect(await ownOf(someone.token)).toMatchObject({ frozen: false })
    await rows(
      "UPDATE links SET expires_at = expires_at - interval '2 days' WHERE user_id = $1",
      someone.id,
    )
    expect(await forgetOldLinks(product.context.db)).toBe(1)
  })

  test('is stored as a digest of its token alone', async () => {
    const token = await mailedLink()
    const [{ text, days } = { text: '', days: 0 }] = await rows<{ text: string; days: number }>(
      `SELECT f::text || (SELECT string_agg(m::text, '') FROM mails AS m) || (SELECT string_agg(e::text, '') FROM audit_entries AS e) AS text,
         extract(day FROM expires_at - created_at)::int AS days
       FROM links AS f WHERE user_id = $1`,
      someone.id,
    )
    expect(days).toBe(7)
    expect(text).not.toContain(token)
    expect(text).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })

  test('used twice at once freezes once', async () => {
    const token = await mailedLink()
    const answers = await Promise.all([freeze(token), freeze(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const superAdmin = await person(product, ['SUPER_ADMIN'])
    const query = { search: someone.id, action: 'account.frozen' }
    const { body } = await product.call(listAudit, { token: superAdmin.token, query })
    expect(body).toMatchObject([
      { actorId: someone.id, ownerId: someone.id, source: '203.0.113.9' },
    ])
  })
})

describe('a frozen account', () => {
  let admin: Person
  beforeAll(async () => {
    admin = await person(product, ['ADMIN'])
  })
  const refused = { status: 403, body: { code: 'accountFrozen' } }
  const ask = (investor: Person, token: string, key?: string) =>
    product.call(withdraw, {
      token,
      payload: { userId: investor.id, amount: 10 },
      ...(key !== undefined && { key }),
    })

  test('withdraws nothing and keeps its payout address', async () => {
    const investor = await investorWith(product, 100)
    await frozen(investor)
    const { token } = await signIn({}, investor)
    expect(await ask(investor, token, 'one-key')).toMatchObject(refused)
    const payload = { address: newAddress(), networkName: 'Bitcoin' }
    expect(await product.call(savePayoutAddress, { token, payload })).toMatchObject(refused)
    expect(await rows('SELECT FROM payout_addresses WHERE user_id = $1', investor.id)).toEqual([])
    await rows('UPDATE users SET frozen_at = NULL, frozen_since = NULL WHERE id = $1', investor.id)
    // The refusal left the key free.
    const { token: thawed } = await signIn({}, investor)
    expect((await ask(investor, thawed, 'one-key')).status).toBe(200)
  })

  test('has its pending withdrawals held, rejected or cancelled', async () => {
    const investor = await investorWith(product, 100)
    const ids: string[] = []
    for (let n = 0; n < 2; n += 1)
      ids.push((await ask(investor, investor.token)).body.transactionId)
    const [transactionId = '', other = ''] = ids
    await frozen(investor)
    const pay = () =>
      product.call(approve, {
        token: admin.token,
        payload: { transactionId, userId: investor.id },
        key: 'approval',
      })
    expect(await pay()).toMatchObject({ status: 409, body: { code: 'ownerFrozen' } })
    const query = { search: investor.email, status: 'PENDING', limit: '10' }
    const { body } = await product.call(listTransactions, { token: admin.token, query })
    for (const { flags } of body) expect(flags?.[0]).toBe('ownerFrozen')
    const { token } = await signIn({}, investor)
    expect((await product.call(cancel, { token, params: { id: other }, payload: {} })).status).toBe(
      200,
    )
    await rows('UPDATE users SET frozen_at = NULL, frozen_since = NULL WHERE id = $1', investor.id)
    expect((await pay()).status).toBe(200)
  })

  test('may have a withdrawal rejected', async () => {
    const investor = await investorWith(product, 100)
    const { body } = await ask(investor, investor.token)
    await frozen(investor)
    const { status } = await product.call(reject, {
      token: admin.token,
      params: { id: body.transactionId },
      payload: { reason: 'The owner asked for it' },
    })
    const { token } = await signIn({}, investor)
    expect([status, await balanceOf(product, { ...investor, token })]).toEqual([200, 100])
  })

  test('has no rights of staff meanwhile', async () => {
    const superAdmin = await person(product, ['SUPER_ADMIN'])
    await frozen(superAdmin)
    const { token, roles } = await signIn({}, superAdmin)
    expect(roles).toEqual([])
    expect(await ownOf(token, superAdmin)).toMatchObject({ roles: [], frozen: true })
    for (const endpoint of [listUsers, listAudit])
      expect((await product.call(endpoint, { token })).status).toBe(403)
  })

  test('is lifted by a mailed reset alone', async () => {
    await frozen()
    const { token } = await signIn()
    const payload = { password: PASSWORD, newPassword: NEW }
    expect(await product.call(changePassword, { token, payload })).toMatchObject(refused)
    await send(forgotPassword, { username: someone.email })
    const link = await mailed('passwordReset')
    expect((await send(resetPassword, { token: link, newPassword: NEW })).status).toBe(200)
    const again = await signIn({}, someone, NEW)
    expect(await ownOf(again.token)).toMatchObject({
      frozen: false,
      withdrawalsRestUntil: expect.any(Array),
    })
    const superAdmin = await person(product, ['SUPER_ADMIN'])
    const query = { search: someone.id, action: 'account.unfrozen' }
    const { body } = await product.call(listAudit, { token: superAdmin.token, query })
    expect(body).toMatchObject([{ actorId: someone.id, actor: someone.email }])
  })

  test('goes back to its mailbox without what a thief added', async () => {
    const token = await mailedLink()
    await addApp(product, someone)
    await freeze(token)
    await send(forgotPassword, { username: someone.email })
    const link = await mailed('passwordReset')
    expect((await send(resetPassword, { token: link, newPassword: NEW })).status).toBe(200)
    const again = await signIn({}, someone, NEW)
    expect(again.status).toBe(200)
    expect(await ownOf(again.token)).toMatchObject({ frozen: false })
  })

  test('is thawed in the session that lifts it alone', async () => {
    const app = await addApp(product, someone)
    await rows(
      "UPDATE factors SET created_at = created_at - interval '1 hour' WHERE user_id = $1",
      someone.id,
    )
    await freeze(await mailed('factorsChanged'))
    // A thief who knows the password and a younger code.
    const thief = await startSession(product.context, someone.id)
    const factor = { kind: 'TOTP', code: app.code() }
    const { status, token: own } = await signIn({}, someone, PASSWORD, factor)
    expect(status).toBe(200)
    expect(await ownOf(own)).toMatchObject({ frozen: false })
    expect((await product.call(listSessions, { token: thief })).status).toBe(401)
  })

  test('stops a reset of its factors', async () => {
    const superAdmin = await person(product, ['SUPER_ADMIN'])
    const app = await addApp(product, someone)
    const payload = { userId: someone.id, kind: 'RESET_FACTORS', reason: 'Lost the phone' }
    const asked = await product.call(askProposal, { token: superAdmin.token, payload })
    expect(asked.status).toBe(200)
    // The mail about the reset has the link that freezes.
    expect((await freeze(await mailed('factorReset'))).status).toBe(200)
    const [proposal] = await rows('SELECT status FROM proposals WHERE id = $1', asked.body.id)
    expect(proposal).toEqual({ status: 'STOPPED' })
    expect((await signIn({}, someone, PASSWORD)).status).toBe(401)
    const factor = { kind: 'TOTP', code: app.code() }
    expect((await signIn({}, someone, PASSWORD, factor)).status).toBe(200)
  })

  test('lets no withdrawal under way slip past its freeze', async () => {
    for (let round = 0; round < 8; round += 1) {
      // More than the withdrawals of a slow freeze can take.
      const investor = await investorWith(product, 50_000)
      const token = await mailedLink(investor)
      let isFrozen = false
      // Without a session, so that only the freeze can refuse.
      const withdrawals = Array.from({ length: 4 }, async () => {
        const context = { ...product.context, ledger: openLedger(product.database.pool) }
        const by = { id: investor.id, name: investor.email, from: 'tests' }
        for (;;) {
          const late = isFrozen
          const code = await requestWithdrawal(context, { by, amount: cents(10_00n) }).then(
            // Only so many of a person may wait.
            ({ transactionId }) => cancelRequest(context, { by, transactionId }).then(() => 'done'),
            (error: Refusal) => error.code,
          )
          if (late || code !== 'done') return code
        }
      })
      expect((await freeze(token)).status).toBe(200)
      isFrozen = true
      const held = await heldOf(investor)
      expect(await Promise.all(withdrawals)).toEqual(Array(4).fill('accountFrozen'))
      expect(await heldOf(investor)).toEqual(held)
    }
  })
})

const heldOf = ({ id }: Person) =>
  rows<{ held: number }>(
    "SELECT count(*)::int AS held FROM transactions WHERE user_id = $1 AND type = 'withdrawal'",
    id,
  )

test('a group that began before the freeze holds it back', async () => {
  const investor = await investorWith(product, 100)
  const token = await mailedLink(investor)
  const holder = await product.database.pool.connect()
  try {
    await holder.query('BEGIN')
    await holder.query(shareSql('groups'))
    const freezing = freeze(token)
    const waits =
      "SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()"
    await vi.waitFor(async () => expect(await rows(waits)).toHaveLength(1))
    expect(await ownOf(investor.token, investor)).toMatchObject({ frozen: false })
    await holder.query('COMMIT')
    expect((await freezing).status).toBe(200)
  } finally {
    holder.release()
  }
})
