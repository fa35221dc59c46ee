import { readdirSync, readFileSync } from 'node:fs'
import { login, register } from '@pool/contract/accounts/users'
import { balance } from '@pool/contract/requests/transactions'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  investorWith,
  PASSWORD,
  type Person,
  type Product,
  person,
  startProduct,
  testProduct,
} from '../../testing/product.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import { carryOut } from './passwordWork.ts'

const product = testProduct()
let investor: Person
beforeAll(async () => {
  investor = await investorWith(product, 100)
})

const signIn = () =>
  product.app.inject({
    method: login.method,
    url: login.path,
    payload: { username: investor.email, password: PASSWORD },
  })

test('a hash is salted argon2id and matches only its password', async () => {
  const [one, other] = await Promise.all([hashPassword('hunter2'), hashPassword('hunter2')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(other).not.toBe(one)
  expect(await passwordMatches(one, 'hunter2')).toBe(true)
  expect(await passwordMatches(one, 'hunter3')).toBe(false)
  expect(await passwordMatches(undefined, 'no account has this hash')).toBe(false)
})

/** A password as a phone, another keyboard and one of full width type it. */
const forms = [
  'Jos\u00e9 trinkt 5 Tee',
  'Jose\u0301 trinkt 5 Tee',
  'Jos\u00e9\u3000trinkt\u00a0５ Ｔｅｅ',
] as const

test.each(forms)('every form of a password matches the hash of %j', async (chosen) => {
  const hash = await hashPassword(chosen)
  for (const typed of forms) expect(await passwordMatches(hash, typed)).toBe(true)
  for (const other of ['José trinkt 5 tee', 'Jose trinkt 5 Tee', ' José trinkt 5 Tee'])
    expect(await passwordMatches(hash, other)).toBe(false)
})

test('an old hash matches the password as it was typed', async () => {
  const [composed, decomposed] = forms
  const hash = String(await carryOut({ password: decomposed }))
  expect(await passwordMatches(hash, decomposed)).toBe(true)
  expect(await passwordMatches(hash, composed)).toBe(false)
  expect(await passwordMatches(undefined, decomposed)).toBe(false)
})

test('an account opens in each form of its password', async () => {
  const [composed, decomposed] = forms
  const detail = { firstName: 'Zoë', lastName: 'Long', email: 'zoe@example.com' }
  const registered = { username: 'ＺＯＥ@example.com', password: decomposed, detail }
  expect((await product.call(register, { payload: registered })).status).toBe(200)
  for (const [username, password] of [
    ['zoe@example.com', composed],
    [' Zoe@Example.com\u200b', decomposed],
  ] as const)
    expect((await product.call(login, { payload: { username, password } })).status).toBe(200)
})

test('an invalid stored hash fails without blocking the next', async () => {
  await expect(passwordMatches('not a hash', 'hunter2')).rejects.toThrow()
  expect(await passwordMatches(await hashPassword('hunter2'), 'hunter2')).toBe(true)
})

test('surplus sign-ins are refused at once and uncounted', async () => {
  const order: string[] = []
  const signIns = Array.from({ length: 100 }, async () => {
    const answer = await signIn()
    order.push(answer.statusCode === 200 ? 'signed in' : 'refused')
    return answer
  })
  const read = await product.call(balance, {
    token: investor.token,
    payload: { userId: investor.id },
  })
  order.push('read')
  expect(read.body).toBe(100)

  const answers = await Promise.all(signIns)
  const refused = answers.filter(({ statusCode }) => statusCode !== 200)
  expect(refused).toHaveLength(36)
  for (const answer of refused) {
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.json()).toMatchObject({ successful: false, body: { code: 'busy' } })
  }
  expect(order.lastIndexOf('refused')).toBeLessThan(order.lastIndexOf('signed in'))
  expect(order.indexOf('read')).toBeLessThan(order.lastIndexOf('signed in'))
  const { rows } = await product.database.pool.query(
    "SELECT count(*)::int AS count FROM audit_entries WHERE action LIKE 'session.%' AND owner_id = $1",
    [investor.id],
  )
  expect(rows).toEqual([{ count: 64 }])
  expect((await signIn()).statusCode).toBe(200)
})

describe('with rate limits', () => {
  const signInFrom = async (on: Product, from: string, { email }: Person, password = PASSWORD) => {
    const { statusCode } = await on.app.inject({
      method: login.method,
      url: login.path,
      headers: { 'x-forwarded-for': from },
      payload: { username: email, password },
    })
    return statusCode
  }
  const count = (statuses: readonly number[]) =>
    Object.fromEntries(
      [...new Set(statuses)]
        .sort()
        .map((each) => [each, statuses.filter((status) => status === each).length]),
    )

  test('one address takes eight places at most', async () => {
    const limited = await startProduct({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
    const [crowd, owner] = [await person(limited), await person(limited)]
    const all = Promise.all(
      Array.from({ length: 100 }, (_, n) => signInFrom(limited, `2001:db8:1:${n}::1`, crowd)),
    )
    expect(await signInFrom(limited, '203.0.113.9', owner)).toBe(200)
    expect(count(await all)).toEqual({ 200: 8, 503: 92 })
    expect(await signInFrom(limited, '2001:db8:1::1', crowd)).toBe(200)
    await limited.close()
  })

  test('sign-ins that the throttle refuses take no place', async () => {
    const limited = await startProduct({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
    const [victim, owner] = [await person(limited), await person(limited)]
    const from = (n: number) => `198.51.100.${n % 10}`
    for (let n = 0; n < 20; n += 1) await signInFrom(limited, from(n), victim, 'a wrong guess')
    const refused = Promise.all(
      Array.from({ length: 80 }, (_, n) => signInFrom(limited, from(n), victim)),
    )
    expect(await signInFrom(limited, '203.0.113.9', owner)).toBe(200)
    expect(count(await refused)).toEqual({ 429: 80 })
    await limited.close()
  })

  test('a sign-in without a place is not counted', async () => {
    const limited = await startProduct({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
    const people = await Promise.all(Array.from({ length: 80 }, () => person(limited)))
    const statuses = await Promise.all(
      Array.from({ length: 80 }, (_, n) =>
        signInFrom(limited, `198.51.100.${n % 10}`, people[n] as Person),
      ),
    )
    expect(count(statuses)).toEqual({ 200: 64, 503: 16 })
    const { rows } = await limited.database.pool.query(
      'SELECT DISTINCT failures FROM login_throttles',
    )
    expect(rows).toEqual([{ failures: 0 }])
    await limited.close()
  })
})

/** Password processes of this one, with their scheduling class. */
const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        const [manner] =
          /passwordProcess\.ts\0(\w+)/
            .exec(readFileSync(`/proc/${id}/cmdline`, 'utf8'))
            ?.slice(1) ?? []
        const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')
        return manner !== undefined && Number(fields[1]) === process.pid
          ? [{ id: Number(id), manner, class: Number(fields[38]) }]
          : []
      } catch {
        return [] // The process has ended meanwhile.
      }
    })
const polite = () => processes().filter(({ manner }) => manner === 'polite')
const signalTo = (ones: readonly { readonly id: number }[], signal: NodeJS.Signals): void => {
  for (const { id } of ones) process.kill(id, signal)
}

describe.runIf(process.platform === 'linux')('a password process', () => {
  const SCHED_IDLE = 5

  test('runs only on an idle processor', async () => {
    await hashPassword('hunter2')
    expect(polite()).not.toEqual([])
    for (const one of polite()) expect(one.class).toBe(SCHED_IDLE)
  })

  test('without a processor is replaced by one with a share', async () => {
    await hashPassword('hunter2')
    const starved = polite()
    signalTo(starved, 'SIGSTOP')
    try {
      const hashes = await Promise.all(Array.from({ length: 6 }, () => hashPassword('hunter3')))
      expect(await passwordMatches(hashes[5], 'hunter3')).toBe(true)
      expect(processes().filter(({ manner }) => manner === 'insistent')).toMatchObject([
        { class: 0 },
      ])
    } finally {
      signalTo(starved, 'SIGCONT')
    }
    // The starved processes finish their work, and its results are ignored.
    expect(await passwordMatches(await hashPassword('hunter4'), 'hunter4')).toBe(true)
    expect(polite().map(({ id }) => id)).toEqual(
      expect.arrayContaining(starved.map(({ id }) => id)),
    )
  })

  test('that is killed is replaced, and its work is done', async () => {
    await hashPassword('hunter2')
    const killed = polite()
    signalTo(killed, 'SIGSTOP')
    const lost = hashPassword('hunter2')
    signalTo(killed, 'SIGKILL')
    expect(await passwordMatches(await lost, 'hunter2')).toBe(true)
    const ids = killed.map(({ id }) => id)
    await expect.poll(() => polite().filter(({ id }) => ids.includes(id))).toEqual([])
  })

  test.each([
    ['alone', polite],
    ['with all others', processes],
  ])('that stands still for good %s is replaced', async (_, some) => {
    // One may be dead and not yet replaced.
    await expect
      .poll(async () => {
        await hashPassword('hunter2')
        return some()
      })
      .not.toEqual([])
    const stopped = some().map(({ id }) => id)
    signalTo(some(), 'SIGSTOP')
    const [answer, hash] = await Promise.all([signIn(), hashPassword('hunter2')])
    expect(answer.statusCode).toBe(200)
    expect(await passwordMatches(hash, 'hunter2')).toBe(true)
    await expect.poll(() => processes().filter(({ id }) => stopped.includes(id))).toEqual([])
  })

  test('that is lost twice refuses its work', async () => {
    const killing = setInterval(() => signalTo(processes(), 'SIGKILL'), 1)
    try {
      await expect(hashPassword('hunter2')).rejects.toMatchObject({ code: 'busy' })
    } finally {
      clearInterval(killing)
    }
    expect(await passwordMatches(await hashPassword('hunter2'), 'hunter2')).toBe(true)
  })
})
