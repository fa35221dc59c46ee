import {
  beginTotp,
  confirmTotp,
  listFactors,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
} from '@pool/contract/accounts/factors'
import { currentUser, login } from '@pool/contract/accounts/users'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startSession } from '../../base/sessions/sessions.ts'
import { appWith } from '../../testing/authenticator.ts'
import { addApp, letFactorAge } from '../../testing/factors.ts'
import { LIVE } from '../../testing/live.ts'
import {
  PASSWORD,
  type Person,
  type Product,
  person,
  startProduct,
  testProduct,
} from '../../testing/product.ts'
import { resetFactors } from './resetFactors.ts'

const product = testProduct()
let someone: Person
beforeEach(async () => {
  someone = await person(product)
})

const begin = (payload: object = { password: PASSWORD }, { token } = someone) =>
  product.call(beginTotp, { token, payload })
const begun = async (payload?: object) => (await begin(payload)).body
const confirm = (enrolment: string, code: string, { token } = someone) =>
  product.call(confirmTotp, { token, payload: { enrolment, name: 'My phone', code } })
const listed = async ({ token } = someone) => (await product.call(listFactors, { token })).body
const remove = (id: string, { token } = someone, on = product) =>
  on.call(removeFactor, { token, params: { id } })
const isSignedIn = async (token: string) =>
  (await product.call(currentUser, { token, query: { username: someone.email } })).status === 200
const changesOf = async ({ id }: Person) => {
  const { rows } = await product.database.pool.query<{ action: string }>(
    "SELECT action FROM audit_entries WHERE owner_id = $1 AND action LIKE 'factor.%' ORDER BY id",
    [id],
  )
  const { rows: mails } = await product.database.pool.query<{ change: string }>(
    "SELECT parameters->>'change' AS change FROM mails WHERE user_id = $1 ORDER BY id",
    [id],
  )
  return { actions: rows.map(({ action }) => action), mails: mails.map(({ change }) => change) }
}

describe('adding an authenticator app', () => {
  test('needs the password first', async () => {
    for (const payload of [{}, { password: 'not the password' }])
      expect(await begin(payload)).toMatchObject({ status: 403, body: { code: 'wrongPassword' } })
    const { secret, uri } = await begun()
    expect(uri).toContain(`secret=${secret}`)
    expect(uri).toContain(encodeURIComponent(someone.email))
    expect((await listed()).factors).toEqual([])
  })

  test('needs a code of its own secret', async () => {
    const [first, second] = [await begun(), await begun()]
    const other = await person(product)
    const refused = { status: 403, body: { code: 'factorWrong' } }
    const ended = { status: 403, body: { code: 'enrolmentEnded' } }
    const code = appWith(first.secret).code()
    expect(await confirm(second.enrolment, code)).toMatchObject(refused)
    expect(await confirm(first.enrolment, code, other)).toMatchObject(ended)
    for (const wrong of [`${first.enrolment}0`, first.enrolment.replace(/\d/, 'x'), ''])
      expect(await confirm(wrong, code)).toMatchObject(ended)
    expect(await confirm(first.enrolment, appWith(first.secret).code(5))).toMatchObject(refused)
    expect((await listed()).factors).toEqual([])
    expect((await confirm(first.enrolment, code)).status).toBe(200)
    expect(await confirm(first.enrolment, appWith(first.secret).code(1))).toMatchObject(refused)
    expect(await listed()).toMatchObject({
      factors: [{ kind: 'TOTP', name: 'My phone', lastUsedAt: null }],
      recoveryCodes: 10,
      required: false,
    })
  })

  test('ends with its session and after ten minutes', async () => {
    const { enrolment, secret } = await begun()
    const ended = { status: 403, body: { code: 'enrolmentEnded' } }
    const elsewhere = { ...someone, token: await startSession(product.context, someone.id) }
    const { code } = appWith(secret)
    expect(await confirm(enrolment, code(), elsewhere)).toMatchObject(ended)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    expect(await confirm(enrolment, code())).toMatchObject(ended)
    vi.setSystemTime(Date.now() - 1_000)
    expect(await confirm(enrolment, code(5))).toMatchObject({ body: { code: 'factorWrong' } })
    vi.useRealTimers()
    expect((await confirm(enrolment, code())).status).toBe(200)
  })

  test('counts wrong first codes as guesses', async () => {
    const { enrolment, secret } = await begun()
    const { code } = appWith(secret)
    const wrong = code() === '000000' ? '000001' : '000000'
    const statuses: number[] = []
    for (let n = 0; n < 12; n += 1) statuses.push((await confirm(enrolment, wrong)).status)
    expect(statuses).toEqual([...Array(10).fill(403), 429, 429])
    expect(await confirm(enrolment, code())).toMatchObject({ body: { code: 'tooManyGuesses' } })
    expect((await listed()).factors).toEqual([])
  })

  test('first ends the other sessions and shows codes once', async () => {
    const elsewhere = await startSession(product.context, someone.id)
    const { recoveryCodes } = await addApp(product, someone)
    expect(recoveryCodes).toHaveLength(10)
    expect([await isSignedIn(someone.token), await isSignedIn(elsewhere)]).toEqual([true, false])
    const again = await startSession(product.context, someone.id)
    const second = await addApp(product, someone)
    expect(second.recoveryCodes).toEqual([])
    expect(await isSignedIn(again)).toBe(true)
  })

  test('again needs a factor, not the password', async () => {
    await addApp(product, someone)
    await letFactorAge(product, someone, '5 minutes')
    expect(await begin()).toMatchObject({ status: 403, body: { code: 'factorNeeded' } })
  })

  test('is refused above five factors', async () => {
    for (let n = 0; n < 5; n += 1) await addApp(product, someone)
    const { enrolment, secret } = await begun()
    expect(await confirm(enrolment, appWith(secret).code())).toMatchObject({
      status: 409,
      body: { code: 'tooManyFactors' },
    })
  })

  test('of two at once brings one set of codes', async () => {
    const enrolments = [await begun(), await begun()]
    const answers = await Promise.all(
      enrolments.map(({ enrolment, secret }) => confirm(enrolment, appWith(secret).code())),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const codes = answers.flatMap(({ body }) => body.recoveryCodes)
    expect(codes).toHaveLength(10)
    expect((await listed()).recoveryCodes).toBe(10)
  })
})

test('adding a factor holds up no end of its session', async () => {
  const { enrolment, secret } = await begun()
  // Locks as another node does that changes the email or the password.
  const other = await product.database.pool.connect()
  try {
    await other.query('BEGIN')
    await other.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [someone.id])
    const adding = confirm(enrolment, appWith(secret).code())
    const waiting =
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    await vi.waitFor(async () =>
      expect((await product.database.superuser.query(waiting)).rows).toHaveLength(1),
    )
    await other.query('DELETE FROM sessions WHERE user_id = $1', [someone.id])
    await other.query('COMMIT')
    expect((await adding).status).toBe(401)
  } finally {
    other.release()
  }
  const { rows } = await product.database.pool.query('SELECT FROM factors WHERE user_id = $1', [
    someone.id,
  ])
  expect(rows).toEqual([])
})

describe('factors of an account', () => {
  test('are renamed and removed, each act told', async () => {
    await addApp(product, someone)
    const [factor] = (await listed()).factors
    const id = factor?.id ?? ''
    const rename = (name: string) =>
      product.call(renameFactor, { token: someone.token, params: { id }, payload: { name } })
    expect((await rename('Old phone')).status).toBe(200)
    expect((await rename(' ')).status).toBe(400)
    expect((await listed()).factors).toMatchObject([{ name: 'Old phone' }])
    expect((await remove(id)).status).toBe(200)
    expect(await listed()).toMatchObject({ factors: [], recoveryCodes: 0 })
    expect(await remove(id)).toMatchObject({ status: 404, body: { code: 'factorNotFound' } })
    expect(await changesOf(someone)).toEqual({
      actions: ['factor.added', 'factor.renamed', 'factor.removed'],
      mails: ['totpAdded', 'renamed', 'removed'],
    })
    const payload = { username: someone.email, password: PASSWORD }
    expect((await product.call(login, { payload })).status).toBe(200)
  })

  test('belong to their user alone', async () => {
    const other = await person(product)
    await addApp(product, other)
    const [factor] = (await listed(other)).factors
    const call = { token: someone.token, params: { id: factor?.id ?? '' } }
    expect((await product.call(removeFactor, call)).status).toBe(404)
    const renamed = await product.call(renameFactor, { ...call, payload: { name: 'Mine' } })
    expect(renamed.status).toBe(404)
    expect((await listed(other)).factors).toEqual([factor])
  })

  test('keep their codes until they are renewed', async () => {
    const renew = () => product.call(renewRecoveryCodes, { token: someone.token })
    expect(await renew()).toMatchObject({ status: 404, body: { code: 'factorNotFound' } })
    const { recoveryCodes } = await addApp(product, someone)
    const { body } = await renew()
    const renewed = body.recoveryCodes
    expect(renewed).toHaveLength(10)
    expect(renewed).not.toEqual(recoveryCodes)
    const use = (code = '') =>
      product.call(login, {
        payload: {
          username: someone.email,
          password: PASSWORD,
          factor: { kind: 'RECOVERY_CODE', code },
        },
      })
    expect((await use(recoveryCodes[0])).status).toBe(403)
    expect((await use(renewed[0])).status).toBe(200)
    expect((await listed()).recoveryCodes).toBe(9)
  })

  test('are reset by the operator', async () => {
    await addApp(product, someone)
    const by = { name: 'operator', from: 'operator' }
    const reset = (email: string) => resetFactors(product.context, { email, by })
    expect(await reset(someone.email.toUpperCase())).toBe(1)
    expect(await isSignedIn(someone.token)).toBe(false)
    const payload = { username: someone.email, password: PASSWORD }
    expect((await product.call(login, { payload })).status).toBe(200)
    expect(await reset(someone.email)).toBe(0)
    expect((await changesOf(someone)).mails).toEqual(['totpAdded', 'reset'])
    await expect(reset('nobody@example.com')).rejects.toMatchObject({ code: 'userNotFound' })
  })
})

describe('staff in live mode', () => {
  let live: Product
  beforeAll(async () => {
    live = await startProduct(LIVE)
  })
  afterAll(() => live.close())

  test('cannot remove their last factor', async () => {
    const boss = await person(live, ['SUPER_ADMIN'])
    const factorsNow = async () =>
      (await live.call(listFactors, { token: boss.token })).body.factors
    const [first] = await factorsNow()
    expect(await remove(first?.id ?? '', boss, live)).toMatchObject({
      status: 409,
      body: { code: 'lastFactor' },
    })
    await addApp(live, boss)
    expect((await remove(first?.id ?? '', boss, live)).status).toBe(200)
    const [second] = await factorsNow()
    expect((await remove(second?.id ?? '', boss, live)).status).toBe(409)
    expect(await factorsNow()).toHaveLength(1)
  })

  test('of two removals at once keep one factor', async () => {
    const boss = await person(live, ['SUPER_ADMIN'])
    await addApp(live, boss)
    const { factors } = (await live.call(listFactors, { token: boss.token })).body
    const answers = await Promise.all(factors.map(({ id }) => remove(id, boss, live)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})
