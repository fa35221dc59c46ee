import {
  beginPasskey,
  beginTotp,
  confirmPasskey,
  type FactorAnswer,
  listFactors,
  passkeySignInOptions,
  proveFactor,
} from '@pool/contract/accounts/factors'
import { login, passkeySignIn } from '@pool/contract/accounts/users'
import {
  approveProposal,
  askProposal,
  declineProposal,
  listProposals,
} from '@pool/contract/agreements/proposals'
import { listNotices } from '@pool/contract/reports/notices'
import { withdraw } from '@pool/contract/requests/requests'
import { beforeEach, describe, expect, test } from 'vitest'
import { startSession } from '../../base/sessions/sessions.ts'
import type { App } from '../../testing/authenticator.ts'
import { addApp, letFactorAge } from '../../testing/factors.ts'
import { LIVE } from '../../testing/live.ts'
import { newDevice } from '../../testing/passkeyDevice.ts'
import {
  PASSWORD,
  type Person,
  type Product,
  person,
  rewoundProduct,
  startProduct,
} from '../../testing/product.ts'

const product = rewoundProduct()
let first: Person
let second: Person
let subject: Person
let app: App & { readonly recoveryCodes: readonly string[] }
beforeEach(async () => {
  first = await person(product, ['SUPER_ADMIN'])
  second = await person(product, ['SUPER_ADMIN'])
  subject = await person(product)
  app = await addApp(product, subject)
})

const ask = (by: Person, of = subject) =>
  product.call(askProposal, {
    token: by.token,
    payload: { userId: of.id, kind: 'RESET_FACTORS', reason: 'Lost the phone' },
  })
const asked = async (by = first, of = subject): Promise<string> => {
  const answer = await ask(by, of)
  expect(answer).toMatchObject({ status: 200, body: { isInForce: false, restsUntil: null } })
  return answer.body.id
}
const approve = (by: Person, id: string) =>
  product.call(approveProposal, { token: by.token, params: { id } })
const decline = (by: Person, id: string) =>
  product.call(declineProposal, { token: by.token, params: { id } })
const approved = async (): Promise<string> => {
  const id = await asked()
  expect(await approve(second, id)).toMatchObject({
    status: 200,
    narration:
      'Approved. It takes effect in 24 hours, unless the person signs in with a second factor.',
    body: { restsUntil: expect.any(Array) },
  })
  return id
}
const open = async (by = second) => (await product.call(listProposals, { token: by.token })).body
const signIn = (factor?: FactorAnswer, of = subject) =>
  product.call(login, {
    payload: { username: of.email, password: PASSWORD, ...(factor && { factor }) },
  })
const byCode = (code: string) => signIn({ kind: 'TOTP', code })
/** Lets a part of the rest pass. */
const passIn = async ({ database: { superuser } }: Product, interval: string) => {
  await superuser.query('ALTER TABLE proposals DISABLE TRIGGER USER')
  await superuser.query('UPDATE proposals SET rests_until = rests_until - $1::interval', [interval])
  await superuser.query('ALTER TABLE proposals ENABLE TRIGGER USER')
}
const pass = (interval: string) => passIn(product, interval)
const factorsLeft = async ({ id } = subject) =>
  (
    await product.database.pool.query(
      `SELECT (SELECT count(*) FROM factors WHERE user_id = $1)::int AS factors,
         (SELECT count(*) FROM recovery_codes WHERE user_id = $1)::int AS codes`,
      [id],
    )
  ).rows[0]
const KEPT = { factors: 1, codes: 10 }
const GONE = { factors: 0, codes: 0 }
const acts = async ({ id } = subject) =>
  (
    await product.database.pool.query(
      "SELECT action, actor, reason FROM audit_entries WHERE owner_id = $1 AND action LIKE 'factor.reset%' ORDER BY id",
      [id],
    )
  ).rows
const mails = async ({ id } = subject) =>
  (
    await product.database.pool.query(
      "SELECT parameters->>'change' AS change FROM mails WHERE user_id = $1 AND parameters->>'change' LIKE 'reset%' ORDER BY id",
      [id],
    )
  ).rows.map(({ change }) => change)

describe('a reset of lost second factors', () => {
  test('changes nothing for 24 hours, and removes them then', async () => {
    const id = await approved()
    await pass('23 hours 59 minutes')
    expect(await signIn()).toMatchObject({ status: 401, body: { code: 'factorRequired' } })
    expect(await factorsLeft()).toEqual(KEPT)
    expect(await open()).toMatchObject([
      { id, kind: 'RESET_FACTORS', restsUntil: expect.any(Array) },
    ])
    await pass('1 minute')
    expect((await signIn()).status).toBe(200)
    expect(await factorsLeft()).toEqual(GONE)
    expect(await open()).toEqual([])
    expect(await acts()).toEqual([
      { action: 'factor.resetAsked', actor: first.email, reason: 'Lost the phone' },
      { action: 'factor.resetApproved', actor: second.email, reason: 'Lost the phone' },
      { action: 'factor.reset', actor: 'system', reason: null },
    ])
    expect(await mails()).toEqual(['resetAsked', 'resetApproved', 'reset'])
  })

  test('ends all sessions and lets withdrawals rest', async () => {
    const elsewhere = await startSession(product.context, subject.id)
    await approved()
    await pass('24 hours')
    const { body } = await signIn()
    const { token } = body
    for (const old of [elsewhere, subject.token])
      expect((await product.call(listFactors, { token: old })).status).toBe(401)
    expect(
      await product.call(withdraw, { token, payload: { userId: subject.id, amount: 10 } }),
    ).toMatchObject({ body: { code: 'withdrawalsRest' } })
  })

  test('refuses the old codes once its rest is over', async () => {
    const token = await startSession(product.context, subject.id)
    await approved()
    await pass('24 hours')
    const prove = (answer: FactorAnswer, by: string) =>
      product.call(proveFactor, { token: by, payload: answer })
    const code = { kind: 'TOTP', code: app.code() } as const
    expect((await prove(code, token)).status).toBe(401)
    expect(await factorsLeft()).toEqual(GONE)
    const { body } = await signIn()
    const later = body.token
    const recovery = { kind: 'RECOVERY_CODE', code: app.recoveryCodes[0] ?? '' } as const
    for (const old of [code, recovery])
      expect(await prove(old, later)).toMatchObject({ status: 403, body: { code: 'factorWrong' } })
  })

  test('is told at once by notice and mail', async () => {
    const noticed = async () =>
      (await product.call(listNotices, { token: subject.token })).body.notices.filter(({ kind }) =>
        kind.startsWith('factor.reset'),
      )
    const id = await asked()
    expect(await mails()).toEqual(['resetAsked'])
    expect(await noticed()).toMatchObject([{ kind: 'factor.resetAsked', unread: true }])
    await approve(second, id)
    expect(await mails()).toEqual(['resetAsked', 'resetApproved'])
    expect(await noticed()).toMatchObject([
      { kind: 'factor.resetApproved', unread: true },
      { kind: 'factor.resetAsked', unread: true },
    ])
  })

  test.each(['a code', 'a recovery code', 'a step-up'])('is stopped by %s', async (way) => {
    const id = await approved()
    await pass('23 hours')
    const recovery = { kind: 'RECOVERY_CODE', code: app.recoveryCodes[0] ?? '' } as const
    const answer =
      way === 'a code'
        ? await byCode(app.code())
        : way === 'a recovery code'
          ? await signIn(recovery)
          : await product.call(proveFactor, { token: subject.token, payload: recovery })
    expect(answer.status).toBe(200)
    expect(await open()).toEqual([])
    await pass('2 hours')
    expect(await signIn()).toMatchObject({ body: { code: 'factorRequired' } })
    expect((await factorsLeft()).factors).toBe(1)
    expect((await mails()).at(-1)).toBe('resetStopped')
    expect((await acts()).at(-1)).toMatchObject({
      action: 'factor.resetStopped',
      actor: subject.email,
    })
    expect(await approve(second, id)).toMatchObject({ body: { code: 'proposalClosed' } })
    await asked()
  })

  test('is stopped before its approval as well', async () => {
    const id = await asked()
    expect((await byCode(app.code())).status).toBe(200)
    expect(await open()).toEqual([])
    expect(await approve(second, id)).toMatchObject({ body: { code: 'proposalClosed' } })
    await asked(second)
  })

  test('is not stopped by wrong codes', async () => {
    await approved()
    const wrong = app.code() === '000000' ? '000001' : '000000'
    expect((await byCode(wrong)).status).toBe(403)
    await pass('24 hours')
    expect((await signIn()).status).toBe(200)
    expect(await factorsLeft()).toEqual(GONE)
  })

  test('is stopped by any super admin while it rests', async () => {
    for (const by of [first, second, await person(product, ['SUPER_ADMIN'])]) {
      const id = await approved()
      expect((await decline(by, id)).status).toBe(200)
      expect(await decline(by, id)).toMatchObject({ body: { code: 'proposalClosed' } })
      await pass('24 hours')
      expect(await signIn()).toMatchObject({ body: { code: 'factorRequired' } })
    }
    const waiting = await asked()
    expect((await decline(second, waiting)).status).toBe(200)
    expect((await mails()).at(-1)).toBe('resetStopped')
  })

  test('is asked once at a time', async () => {
    const answers = await Promise.all([ask(first), ask(second), ask(first)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const [{ id = '', askedBy = '' } = {}] = await open()
    await approve(askedBy === first.email ? second : first, id)
    expect(await ask(first)).toMatchObject({ body: { code: 'proposalAsked' } })
  })

  test('of many approvals at once takes one', async () => {
    const third = await person(product, ['SUPER_ADMIN'])
    const id = await asked()
    const answers = await Promise.all([second, third, second, third].map((by) => approve(by, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(await mails()).toEqual(['resetAsked', 'resetApproved'])
  })

  test('never rests after a simultaneous sign-in with a factor', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await asked()
      const code = app.recoveryCodes[round] ?? ''
      const [signedIn] = await Promise.all([
        signIn({ kind: 'RECOVERY_CODE', code }),
        approve(second, id),
      ])
      expect(signedIn.status).toBe(200)
      expect(await open()).toEqual([])
      await pass('24 hours')
      expect(await signIn()).toMatchObject({ body: { code: 'factorRequired' } })
    }
  })

  test('takes effect once of many sign-ins at once', async () => {
    await approved()
    await pass('24 hours')
    const answers = await Promise.all([signIn(), signIn(), signIn()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await mails()).toEqual(['resetAsked', 'resetApproved', 'reset'])
  })

  test('of the own factors is for others to decide', async () => {
    const own = { status: 403, body: { code: 'ownFactorReset' } }
    await addApp(product, second)
    expect(await ask(second, second)).toMatchObject(own)
    expect(await approve(second, await asked(first, second))).toMatchObject(own)
    expect(await factorsLeft(second)).toEqual(KEPT)
  })

  test('is void once its asker or approver lost the role', async () => {
    const third = await person(product, ['SUPER_ADMIN'])
    for (const gone of [first, second]) {
      await approved()
      await product.database.pool.query(
        "DELETE FROM user_roles WHERE user_id = $1 AND role = 'SUPER_ADMIN'",
        [gone.id],
      )
      await pass('24 hours')
      expect(await open(third)).toEqual([])
      expect(await signIn()).toMatchObject({ body: { code: 'factorRequired' } })
      if (gone === first) first = await person(product, ['SUPER_ADMIN'])
    }
    expect((await ask(third)).status).toBe(200)
  })

  test('rests, too, where there is one super admin', async () => {
    await product.database.pool.query('DELETE FROM user_roles WHERE user_id = $1', [second.id])
    expect(await ask(first)).toMatchObject({
      status: 200,
      body: { isInForce: false, restsUntil: expect.any(Array) },
    })
    expect(await signIn()).toMatchObject({ body: { code: 'factorRequired' } })
    await pass('24 hours')
    expect((await signIn()).status).toBe(200)
  })

  test('is needless without a factor', async () => {
    expect(await ask(second, first)).toMatchObject({ body: { code: 'proposalNeedless' } })
  })

  test('is kept by the database as it was', async () => {
    const id = await approved()
    const { pool, superuser } = product.database
    for (const statement of [
      "UPDATE proposals SET rests_until = now() - interval '1 hour'",
      "UPDATE proposals SET ended_at = now(), status = 'DONE'",
    ])
      await expect(pool.query(statement)).rejects.toThrow()
    await decline(second, id)
    await expect(
      pool.query("UPDATE proposals SET ended_at = NULL, status = 'OPEN'"),
    ).rejects.toThrow()
    await expect(superuser.query('DELETE FROM proposals')).rejects.toThrow()
  })

  test('asks its deciders for a recent factor', async () => {
    const id = await asked()
    await addApp(product, second)
    await letFactorAge(product, second, '6 minutes')
    for (const answer of [await ask(second), await approve(second, id), await decline(second, id)])
      expect(answer).toMatchObject({ status: 403, body: { code: 'factorNeeded' } })
  })
})

test('a passkey stops a reset, and is refused after it', async () => {
  const origin = 'https://pool.example.com'
  const online = await startProduct({ PUBLIC_URL: origin })
  const boss = await person(online, ['SUPER_ADMIN'])
  const owner = await person(online)
  const device = newDevice(origin)
  const { token } = owner
  const begun = await online.call(beginPasskey, { token, payload: { password: PASSWORD } })
  const made = { name: 'My key', response: device.create(begun.body) }
  expect((await online.call(confirmPasskey, { token, payload: made })).status).toBe(200)
  const signInByPasskey = async () => {
    const options = (await online.call(passkeySignInOptions)).body
    return online.call(passkeySignIn, { payload: { response: device.get(options) } })
  }
  const resetAlone = async () => {
    const payload = { userId: owner.id, kind: 'RESET_FACTORS', reason: 'Lost the key' }
    expect((await online.call(askProposal, { token: boss.token, payload })).status).toBe(200)
  }
  await resetAlone()
  expect((await signInByPasskey()).status).toBe(200)
  await passIn(online, '24 hours')
  expect((await signInByPasskey()).status).toBe(200)
  await resetAlone()
  await passIn(online, '24 hours')
  expect(await signInByPasskey()).toMatchObject({ body: { code: 'passkeyRefused' } })
  const { rows } = await online.database.pool.query('SELECT id FROM factors')
  expect(rows).toEqual([])
  await online.close()
})

test('staff of live mode can only enrol after a reset', async () => {
  const live = await startProduct(LIVE)
  const bosses = [await person(live, ['SUPER_ADMIN']), await person(live, ['SUPER_ADMIN'])]
  const admin = await person(live, ['ADMIN'])
  const [boss, other] = bosses as [Person, Person]
  const payload = { userId: admin.id, kind: 'RESET_FACTORS', reason: 'Lost the phone' }
  const { body } = await live.call(askProposal, { token: boss.token, payload })
  const params = { id: body.id }
  expect((await live.call(approveProposal, { token: other.token, params })).status).toBe(200)
  await passIn(live, '24 hours')
  const signedIn = await live.call(login, {
    payload: { username: admin.email, password: PASSWORD },
  })
  const { token } = signedIn.body
  expect(await live.call(listNotices, { token })).toMatchObject({ body: { code: 'enrolFactor' } })
  expect((await live.call(beginTotp, { token, payload: { password: PASSWORD } })).status).toBe(200)
  await live.close()
})
