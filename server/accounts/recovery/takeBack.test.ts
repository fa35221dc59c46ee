import { changeEmail, confirmEmail } from '@pool/contract/accounts/emails'
import { beginTotp, confirmTotp } from '@pool/contract/accounts/factors'
import { endOtherSessions, freezeAccount } from '@pool/contract/accounts/sessions'
import {
  changePassword,
  currentUser,
  forgotPassword,
  login,
  register,
  resetPassword,
} from '@pool/contract/accounts/users'
import { askProposal } from '@pool/contract/agreements/proposals'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { payoutAddress, savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import { beforeEach, describe, expect, test } from 'vitest'
import { startSession } from '../../base/sessions/sessions.ts'
import { newAddress } from '../../testing/addresses.ts'
import { appWith } from '../../testing/authenticator.ts'
import { addApp } from '../../testing/factors.ts'
import { PASSWORD, type Person, person, testProduct } from '../../testing/product.ts'
import { resetFactors } from '../factors/resetFactors.ts'
import { type Link, tokenOf } from '../links/tokens.ts'
import { resumeUser, suspendUser } from '../users/roles.ts'

const NEW = 'a quieter horse battery'
const by = { name: 'operator', from: 'operator' }

const product = testProduct()
let owner: Person
beforeEach(async () => {
  owner = await person(product)
})

const newEmail = () => `${crypto.randomUUID()}@example.com`
const rows = async <Row>(text: string, ...values: unknown[]) =>
  (await product.database.superuser.query(text, values)).rows as Row[]
/** The tokens of the links mailed to an address, the newest first. */
const tokensTo = async (address: string, template: string): Promise<string[]> =>
  (
    await rows<{ link: Link }>(
      "SELECT parameters->'link' AS link FROM mails WHERE recipient = $1 AND template = $2 ORDER BY id DESC",
      address,
      template,
    )
  ).map(({ link }) => tokenOf(product.context.keys, link))
const mailedTo = async (address: string, template: string): Promise<string> => {
  const [token] = await tokensTo(address, template)
  if (token === undefined) throw new Error(`no ${template} was mailed`)
  return token
}
const send = (endpoint: Endpoint, payload: object) => product.call(endpoint, { payload })
const press = (token: string) => send(confirmEmail, { token })
const freeze = (token: string) => send(freezeAccount, { token })
const reset = (token: string, newPassword = NEW) => send(resetPassword, { token, newPassword })
const signIn = async (email: string, password = PASSWORD) =>
  (await send(login, { username: email, password })).status
const askChange = async ({ token }: Person, email: string) => {
  const payload = { password: PASSWORD, email }
  expect((await product.call(changeEmail, { token, payload })).status).toBe(200)
  return mailedTo(email, 'emailChange')
}
const askReset = async (email: string) => {
  expect((await send(forgotPassword, { username: email })).status).toBe(200)
  return mailedTo(email, 'passwordReset')
}
const bySession = (endpoint: Endpoint, payload?: object) =>
  product.call(endpoint, { token: owner.token, ...(payload && { payload }) })

/** The acts by which an owner takes an account back, or staff do it. */
const acts: Readonly<Record<string, () => Promise<unknown>>> = {
  'a changed password': () => bySession(changePassword, { password: PASSWORD, newPassword: NEW }),
  'a reset password': async () => reset(await askReset(owner.email)),
  'the end of other sessions': () => bySession(endOtherSessions),
  'a freeze': async () => freeze(await mailedTo(owner.email, 'emailChangeAsked')),
  'a suspension': async () => {
    await suspendUser(product.context, { email: owner.email, by })
    await resumeUser(product.context, { email: owner.email, by })
    return { status: 200 }
  },
  'a reset of factors by the operator': async () => {
    await addApp(product, owner)
    return { status: (await resetFactors(product.context, { email: owner.email, by })) * 200 }
  },
  'a reset of factors by super admins': async () => {
    await addApp(product, owner)
    const superAdmin = await person(product, ['SUPER_ADMIN'])
    const payload = { userId: owner.id, kind: 'RESET_FACTORS', reason: 'Lost the phone' }
    await product.call(askProposal, { token: superAdmin.token, payload })
    await rows('ALTER TABLE proposals DISABLE TRIGGER USER')
    await rows(
      "UPDATE proposals SET status = 'RESTING', alone = true, decided_at = now(), rests_until = now() WHERE user_id = $1",
      owner.id,
    )
    await rows('ALTER TABLE proposals ENABLE TRIGGER USER')
    return send(login, { username: owner.email, password: PASSWORD })
  },
}

describe.each(Object.entries(acts))('%s', (_, act) => {
  test('ends a change of the email of before', async () => {
    const thief = { ...owner, token: await startSession(product.context, owner.id) }
    const token = await askChange(thief, newEmail())
    expect(await act()).toMatchObject({ status: 200 })
    expect(await press(token)).toMatchObject({ status: 400, body: { code: 'emailLinkInvalid' } })
    expect(await rows('SELECT username FROM users WHERE id = $1', owner.id)).toEqual([
      { username: owner.email },
    ])
    const [{ taken } = {}] = await rows<{ taken: boolean }>(
      'SELECT taken_back_at IS NOT NULL AS taken FROM users WHERE id = $1',
      owner.id,
    )
    expect(taken).toBe(true)
  })
})

test.each(['a changed password', 'a suspension', 'a freeze'])(
  '%s ends a link for a new password',
  async (name) => {
    const token = await askReset(owner.email)
    await askChange(owner, newEmail())
    expect(await acts[name]?.()).toMatchObject({ status: 200 })
    expect(await reset(token)).toMatchObject({ status: 400, body: { code: 'resetLinkInvalid' } })
  },
)

test('a session alone ends no link for a new password', async () => {
  const token = await askReset(owner.email)
  expect((await bySession(endOtherSessions)).status).toBe(200)
  expect((await reset(token)).status).toBe(200)
})

describe('an account that a stranger registered', () => {
  /** Registers over HTTP, so that the mailbox is not proven. */
  const registered = async (email = newEmail()): Promise<Person> => {
    const detail = { firstName: 'A', lastName: 'Stranger', email }
    const { body } = await send(register, { username: email, password: PASSWORD, detail })
    const { userId: id } = body as { userId: string }
    return { id, email, token: await startSession(product.context, id) }
  }

  test('holds nothing of before once its mailbox is proven', async () => {
    const stranger = await registered()
    await addApp(product, stranger)
    const { token } = stranger
    const saved = { address: newAddress(), networkName: 'Bitcoin' }
    await product.call(savePayoutAddress, { token, payload: saved })
    const changing = await askChange(stranger, newEmail())
    const begun = await product.call(beginTotp, { token, payload: {} })
    const { enrolment, secret } = begun.body

    expect((await reset(await askReset(stranger.email))).status).toBe(200)
    const signedIn = await send(login, { username: stranger.email, password: NEW })
    expect(signedIn.status).toBe(200)
    const { token: own } = signedIn.body as { token: string }
    expect((await product.call(payoutAddress, { token: own })).body).toEqual({
      current: null,
      next: null,
    })
    expect(await press(changing)).toMatchObject({ body: { code: 'emailLinkInvalid' } })
    const payload = { enrolment, name: 'Phone', code: appWith(secret).code() }
    expect((await product.call(confirmTotp, { token, payload })).status).toBe(401)
    const confirmed = await product.call(confirmTotp, { token: own, payload })
    expect(confirmed).toMatchObject({ status: 403, body: { code: 'enrolmentEnded' } })
    expect(
      (await product.call(currentUser, { token: own, query: { username: stranger.email } })).body,
    ).toMatchObject({ emailConfirmed: true })
  })

  test('keeps its factors and address once it was proven', async () => {
    await addApp(product, owner)
    const payload = { address: newAddress(), networkName: 'Bitcoin' }
    await bySession(savePayoutAddress, payload)
    expect((await reset(await askReset(owner.email))).status).toBe(200)
    expect(await signIn(owner.email, NEW)).toBe(401)
    const kept = 'SELECT address FROM payout_addresses WHERE user_id = $1'
    expect(await rows(kept, owner.id)).toEqual([{ address: payload.address }])
  })

  test('leaves the address free once it has another', async () => {
    const stranger = await registered()
    const { email } = stranger
    expect((await press(await askChange(stranger, newEmail()))).status).toBe(200)
    expect((await registered(email)).id).not.toBe(stranger.id)
  })
})

describe('of two mailboxes', () => {
  /** A thief changed the email to their own, and asked for a second change there. */
  const stolen = async () => {
    const [own, later] = [newEmail(), newEmail()]
    expect((await press(await askChange(owner, own))).status).toBe(200)
    const thief = { ...owner, email: own, token: await startSession(product.context, owner.id) }
    const payload = { password: PASSWORD, newPassword: NEW }
    expect((await product.call(changePassword, { token: thief.token, payload })).status).toBe(200)
    const again = { ...thief, token: await startSession(product.context, owner.id) }
    const change = { password: NEW, email: later }
    await product.call(changeEmail, { token: again.token, payload: change })
    return { own, later }
  }

  test.each(['emailChangeAsked', 'emailChanged'])(
    "the thief's press leaves the owner's %s",
    async (template) => {
      const { own } = await stolen()
      const [changed] = await tokensTo(own, 'passwordChanged')
      expect((await freeze(await mailedTo(own, 'emailChangeAsked'))).status).toBe(200)
      expect((await freeze(await mailedTo(owner.email, template))).status).toBe(200)
      expect(await signIn(owner.email, NEW)).toBe(200)
      // The thief's later links would take the address again.
      expect(await freeze(changed ?? '')).toMatchObject({ body: { code: 'freezeLinkInvalid' } })
      expect(await signIn(own, NEW)).toBe(401)
      expect((await reset(await askReset(owner.email), PASSWORD)).status).toBe(200)
      expect([await signIn(owner.email), await signIn(own)]).toEqual([200, 401])
    },
  )

  test('the older one wins after both pressed', async () => {
    const { own, later } = await stolen()
    const thiefs = await mailedTo(own, 'emailChangeAsked')
    const open = await mailedTo(later, 'emailChange')
    expect((await freeze(await mailedTo(owner.email, 'emailChanged'))).status).toBe(200)
    expect(await freeze(thiefs)).toMatchObject({ body: { code: 'freezeLinkInvalid' } })
    expect(await press(open)).toMatchObject({ body: { code: 'emailLinkInvalid' } })
    expect(await signIn(owner.email, NEW)).toBe(200)
  })
})
