import type { FactorAnswer } from '@pool/contract/accounts/factors'
import { freezeAccount } from '@pool/contract/accounts/sessions'
import { login } from '@pool/contract/accounts/users'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { App } from '../../testing/authenticator.ts'
import { addApp } from '../../testing/factors.ts'
import {
  PASSWORD,
  type Person,
  type Product,
  person,
  secondProcess,
  startProduct,
} from '../../testing/product.ts'
import { tokenOf } from '../links/tokens.ts'
import { carryOut } from '../passwords/passwordWork.ts'

// Spies only. All the work is really done.
vi.mock('../passwords/passwordWork.ts', { spy: true })

let product: Product
let someone: Person
let app: App & { readonly recoveryCodes: readonly string[] }
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product.close())
beforeEach(async () => {
  someone = await person(product)
  app = await addApp(product, someone)
})

const signIn = (factor?: FactorAnswer, password = PASSWORD, { email } = someone) =>
  product.call(login, { payload: { username: email, password, ...(factor && { factor }) } })
const byCode = (code: string, who = someone) => signIn({ kind: 'TOTP', code }, PASSWORD, who)
const byRecovery = (code = '', who = someone) =>
  signIn({ kind: 'RECOVERY_CODE', code }, PASSWORD, who)
const refused = { status: 403, body: { code: 'factorWrong' } }

describe('signing in with a second factor', () => {
  test('asks for it after the right password only', async () => {
    expect(await signIn()).toMatchObject({
      status: 401,
      narration: 'Please confirm with your second factor that it is you.',
      body: { code: 'factorRequired', details: { kinds: ['TOTP'] } },
    })
    expect(await signIn(undefined, 'not the password')).toMatchObject({
      status: 401,
      body: { code: 'invalidCredentials' },
    })
    expect(await signIn({ kind: 'TOTP', code: app.code() }, 'not the password')).toMatchObject({
      status: 401,
      body: { code: 'invalidCredentials' },
    })
    expect(await byCode(app.code())).toMatchObject({
      status: 200,
      body: { userId: someone.id, token: expect.any(String) },
    })
  })

  test('takes a code once, and none from the past', async () => {
    const code = app.code()
    expect((await byCode(code)).status).toBe(200)
    expect(await byCode(code)).toMatchObject(refused)
    // The app was added by this code.
    expect(await byCode(app.code(-1))).toMatchObject(refused)
  })

  test('takes one step from the future, not two', async () => {
    expect(await byCode(app.code(3))).toMatchObject(refused)
    expect((await byCode(app.code(1))).status).toBe(200)
    expect(await byCode(app.code())).toMatchObject(refused)
  })

  test('lets one of two simultaneous uses win', async () => {
    const code = app.code()
    const answers = await Promise.all([byCode(code), byCode(code), byCode(code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    const [recovery] = app.recoveryCodes
    const again = await Promise.all([byRecovery(recovery), byRecovery(recovery)])
    expect(again.map(({ status }) => status).sort()).toEqual([200, 403])
  })

  test('refuses codes of another account', async () => {
    const other = await person(product)
    const others = await addApp(product, other)
    expect(await byCode(others.code())).toMatchObject(refused)
    expect(await byRecovery(others.recoveryCodes[0])).toMatchObject(refused)
    expect((await byRecovery(others.recoveryCodes[0], other)).status).toBe(200)
  })

  test('takes each recovery code once, however it is typed', async () => {
    expect(app.recoveryCodes).toHaveLength(10)
    expect(new Set(app.recoveryCodes).size).toBe(10)
    const [first = '', second = ''] = app.recoveryCodes
    expect(first).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/)
    expect((await byRecovery(first.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    expect(await byRecovery(first)).toMatchObject(refused)
    expect(await byRecovery(`${second}A`)).toMatchObject(refused)
    expect((await byRecovery(second)).status).toBe(200)
    const { rows } = await product.database.pool.query(
      "SELECT parameters->>'change' AS change FROM mails WHERE user_id = $1 AND template = 'factorsChanged' ORDER BY id",
      [someone.id],
    )
    expect(rows.map(({ change }) => change)).toEqual(['totpAdded', 'codeUsed', 'codeUsed'])
  })

  test('stores neither secrets nor codes', async () => {
    const { rows } = await product.database.superuser.query(
      `SELECT (SELECT string_agg(f::text, '') FROM factors AS f) || (SELECT string_agg(r::text, '') FROM recovery_codes AS r)
         || (SELECT string_agg(m::text, '') FROM mails AS m) || (SELECT string_agg(e::text, '') FROM audit_entries AS e) AS text`,
    )
    for (const code of app.recoveryCodes) expect(rows[0].text).not.toContain(code)
    const { rows: places } = await product.database.pool.query(
      'SELECT key_id, public_key FROM factors WHERE user_id = $1',
      [someone.id],
    )
    expect(places).toEqual([{ key_id: product.context.keys.ids[0], public_key: null }])
  })
})

describe('guessing codes', () => {
  test('is admitted ten times a minute, over all nodes', async () => {
    const elsewhere = await secondProcess(product)
    const wrong = app.code() === '000000' ? '000001' : '000000'
    const guess = async (n: number): Promise<number> => {
      const factor = { kind: 'TOTP', code: wrong }
      const payload = { username: someone.email, password: PASSWORD, factor }
      return n % 2 === 0
        ? (await product.call(login, { payload })).status
        : (await elsewhere.inject({ method: 'POST', url: login.path, payload })).statusCode
    }
    const answers: number[] = []
    // A few at once, so that a slow machine is done within the minute.
    for (let n = 0; n < 15; n += 5)
      answers.push(...(await Promise.all([0, 1, 2, 3, 4].map((more) => guess(n + more)))))
    expect(answers.sort()).toEqual([...Array(10).fill(403), ...Array(5).fill(429)])
    expect(await byCode(app.code())).toMatchObject({
      status: 429,
      narration:
        'Too many codes were tried. Please use a recovery code or a passkey, or try again in 1 min.',
    })
    // Its owner still gets in, and so do others.
    expect((await byRecovery(app.recoveryCodes[0])).status).toBe(200)
    const other = await person(product)
    const others = await addApp(product, other)
    expect((await byCode(others.code(), other)).status).toBe(200)
    await elsewhere.close()
  })

  test('is admitted a hundred times a day', async () => {
    const { db } = product.context
    const { admitGuess, guessSucceeded } = await import('./guesses.ts')
    const pass = (interval: string) =>
      product.database.superuser.query(
        'UPDATE login_throttles SET last_at = last_at - $1::interval',
        [interval],
      )
    const tries = async (count: number) => {
      let admitted = 0
      for (let n = 0; n < count; n += 1) {
        const isAdmitted = await admitGuess(db, someone.id).then(
          () => true,
          () => false,
        )
        if (isAdmitted) admitted += 1
      }
      return admitted
    }
    let admitted = 0
    for (let minute = 0; minute < 12; minute += 1) {
      admitted += await tries(15)
      await pass('1 minute')
    }
    expect(admitted).toBe(100)
    await guessSucceeded(db, someone.id)
    expect(await tries(2)).toBe(1)
    await pass('1 day')
    expect(await tries(2)).toBe(2)
  })

  test('by many at once, over and over, tries ten', async () => {
    const { db } = product.context
    const { admitGuess } = await import('./guesses.ts')
    const guesses = async (): Promise<unknown[]> => {
      const refusals: unknown[] = []
      for (let n = 0; n < 100; n += 1)
        await admitGuess(db, someone.id).catch(({ code }) => refusals.push(code))
      return refusals
    }
    // As many as there are connections, so that none is refused for the want of one.
    const refusals = (await Promise.all(Array.from({ length: 20 }, guesses))).flat()
    expect(refusals).toEqual(Array(1_990).fill('tooManyGuesses'))
    expect((await byRecovery(app.recoveryCodes[0])).status).toBe(200)
  })

  test('of a right code does not count', async () => {
    const { rows } = await product.database.pool.query(
      'SELECT max(failures) AS most FROM login_throttles',
    )
    await byCode(app.code())
    expect(
      (await product.database.pool.query('SELECT max(failures) AS most FROM login_throttles')).rows,
    ).toEqual(rows)
  })
})

test('a wrong factor after the right password is told', async () => {
  const wrong = app.code() === '000000' ? '000001' : '000000'
  const told = async () =>
    (
      await product.database.pool.query(
        "SELECT parameters->'link' AS link, parameters->>'ip' AS ip FROM mails WHERE user_id = $1 AND template = 'factorRefused'",
        [someone.id],
      )
    ).rows
  expect((await signIn({ kind: 'TOTP', code: wrong }, 'not the password')).status).toBe(401)
  expect(await told()).toEqual([])
  for (let n = 0; n < 3; n += 1) expect(await byCode(wrong)).toMatchObject(refused)
  expect(await byRecovery('no such code')).toMatchObject(refused)
  expect(await told()).toEqual([{ link: expect.any(Object), ip: '127.0.0.1' }])
  await product.database.superuser.query(
    "UPDATE login_throttles SET last_at = last_at - interval '1 day'",
  )
  expect(await byCode(wrong)).toMatchObject(refused)
  const [{ link }] = await told()
  expect(await told()).toHaveLength(2)
  const token = tokenOf(product.context.keys, link)
  expect((await product.call(freezeAccount, { payload: { token } })).status).toBe(200)
})

test('a wrong password costs the same with and without factors', async () => {
  const plain = await person(product)
  const work = async ({ email }: Person) => {
    vi.mocked(carryOut).mockClear()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const { status, body } = await signIn(undefined, 'not the password', { ...someone, email })
    const statements = query.mock.calls
      .map(([asked]) => (typeof asked === 'string' ? asked : (asked as { text: string }).text))
      .filter((text) => !/audit_(un)?seal/.test(text))
    query.mockRestore()
    return { status, body, statements, hashes: vi.mocked(carryOut).mock.calls.length }
  }
  await work(plain)
  const without = await work(plain)
  expect(without.hashes).toBe(1)
  expect(without.statements.length).toBeGreaterThan(1)
  expect(await work(someone)).toEqual(without)
})
