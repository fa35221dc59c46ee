import {
  beginPasskey,
  confirmPasskey,
  listFactors,
  type PasskeyOptions,
  passkeyOptions,
  passkeySignInOptions,
  proveFactor,
} from '@pool/contract/accounts/factors'
import { login, passkeySignIn } from '@pool/contract/accounts/users'
import { beforeEach, describe, expect, test } from 'vitest'
import { startSession } from '../../base/sessions/sessions.ts'
import { addApp } from '../../testing/factors.ts'
import { type Device, newDevice } from '../../testing/passkeyDevice.ts'
import { PASSWORD, type Person, person, startProduct, testProduct } from '../../testing/product.ts'
import type { Answer } from '../../testing/request.ts'
import { forgetChallenges } from './challenges.ts'

const ORIGIN = 'https://pool.example.com'

const product = testProduct({ PUBLIC_URL: ORIGIN })
let someone: Person
let device: Device
beforeEach(async () => {
  someone = await person(product)
  device = newDevice(ORIGIN)
})

const optionsOf = async (who: Person, password?: string) =>
  (
    await product.call(beginPasskey, {
      token: who.token,
      payload: password === undefined ? {} : { password },
    })
  ).body
const confirm = (who: Person, response: unknown) =>
  product.call(confirmPasskey, { token: who.token, payload: { name: 'My key', response } })
const add = async (who = someone, its = device) => {
  const answer = await confirm(who, its.create(await optionsOf(who, PASSWORD)))
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.recoveryCodes
}
const toProve = async ({ token } = someone) => (await product.call(passkeyOptions, { token })).body
const prove = (response: unknown, { token } = someone) =>
  product.call(proveFactor, { token, payload: { kind: 'PASSKEY', response } })
const toSignIn = async () => (await product.call(passkeySignInOptions)).body
const signIn = (response: unknown) => product.call(passkeySignIn, { payload: { response } })
const refused = { status: 403, body: { code: 'passkeyRefused' } }

describe('adding a passkey', () => {
  test('needs the password and brings recovery codes', async () => {
    const { token } = someone
    expect((await product.call(beginPasskey, { token, payload: {} })).status).toBe(403)
    const options = await optionsOf(someone, PASSWORD)
    expect(options).toMatchObject({
      rp: { id: 'pool.example.com', name: 'Peer Lending Pool' },
      user: { name: someone.email },
      excludeCredentials: [],
    })
    expect(await add()).toHaveLength(10)
    expect((await product.call(listFactors, { token })).body).toMatchObject({
      factors: [{ kind: 'PASSKEY', name: 'My key' }],
      recoveryCodes: 10,
    })
  })

  test('refuses a replayed, foreign or altered challenge', async () => {
    const other = await person(product)
    const made = device.create(await optionsOf(someone, PASSWORD))
    expect(await confirm(other, made)).toMatchObject(refused)
    expect((await confirm(someone, made)).status).toBe(200)
    expect(await confirm(someone, made)).toMatchObject(refused)
    const fresh = newDevice(ORIGIN)
    const { challenge } = await optionsOf(someone)
    for (const wrong of [`${challenge}A`, 'A'.repeat(80), (await toProve()).challenge])
      expect(await confirm(someone, fresh.create({ challenge: wrong }))).toMatchObject(refused)
    const elsewhere = newDevice('https://pool.example.org').create({ challenge })
    expect(await confirm(someone, elsewhere)).toMatchObject(refused)
    expect((await confirm(someone, fresh.create({ challenge }))).status).toBe(200)
  })

  test('ends with the session in which it began', async () => {
    const made = device.create(await optionsOf(someone, PASSWORD))
    const token = await startSession(product.context, someone.id)
    expect(await confirm({ ...someone, token }, made)).toMatchObject(refused)
    expect((await confirm(someone, made)).status).toBe(200)
  })

  test('refuses one that is known, also to another account', async () => {
    await add()
    expect(await confirm(someone, device.create(await optionsOf(someone)))).toMatchObject({
      status: 409,
      body: { code: 'passkeyKnown' },
    })
    const other = await person(product)
    const made = device.create(await optionsOf(other, PASSWORD))
    expect(await confirm(other, made)).toMatchObject({ status: 409 })
  })
})

describe('proving a passkey', () => {
  test('works once for each challenge', async () => {
    await add()
    device.count(1)
    const options = await toProve()
    expect(options).toMatchObject({ allowCredentials: [{ transports: ['internal'] }] })
    const response = device.get(options)
    expect((await prove(response)).status).toBe(200)
    device.count(2)
    expect(await prove(response)).toMatchObject(refused)
    expect(await prove(device.get(options))).toMatchObject(refused)
    const { rowCount } = await product.database.pool.query('SELECT FROM used_challenges')
    expect(rowCount).toBeGreaterThanOrEqual(2)
  })

  test('lets one of two simultaneous uses win', async () => {
    await add()
    device.count(1)
    const response = device.get(await toProve())
    const answers = await Promise.all([prove(response), prove(response)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  })

  test('refuses a passkey of another account', async () => {
    const other = await person(product)
    const others = newDevice(ORIGIN)
    await add()
    await add(other, others)
    expect(await prove(others.get(await toProve()))).toMatchObject(refused)
    expect(await prove(device.get(await toProve(other)))).toMatchObject(refused)
    expect(await prove(others.get(await toProve(other)), other)).toMatchObject({ status: 200 })
  })

  test('refuses a counter that went back or stands', async () => {
    await add()
    const at = async (uses: number) => {
      device.count(uses)
      return (await prove(device.get(await toProve()))).status
    }
    expect([await at(7), await at(6), await at(7), await at(0), await at(8)]).toEqual([
      200, 403, 403, 403, 200,
    ])
  })

  test('takes devices that do not count', async () => {
    await add()
    for (let n = 0; n < 2; n += 1)
      expect((await prove(device.get(await toProve()))).status).toBe(200)
  })

  test('refuses other sites, other hosts and old challenges', async () => {
    await add()
    const options = await toProve()
    for (const wrong of [{ origin: 'https://pool.example.org' }, { rpId: 'example.com' }])
      expect(await prove(device.get(options, wrong))).toMatchObject(refused)
    const [until = '', nonce = '', mac = ''] = Buffer.from(options.challenge, 'base64url')
      .toString()
      .split('.')
    const altered = [String(Number(until) + 1), nonce, mac].join('.')
    const challenge = Buffer.from(altered).toString('base64url')
    expect(await prove(device.get({ challenge }))).toMatchObject(refused)
    expect((await prove(device.get(options))).status).toBe(200)
  })

  test('belong to localhost without a public URL, whatever Host says', async () => {
    const sandbox = await startProduct()
    const asking = async (host: string) => {
      const { method, path: url } = passkeySignInOptions
      const answer = await sandbox.app.inject({ method, url, headers: { host } })
      return answer.json<{ body: { rpId: string } }>().body.rpId
    }
    for (const host of ['evil.example.com', 'localhost.example.com:3000', '203.0.113.7'])
      expect([host, await asking(host)]).toEqual([host, 'localhost'])
    expect(await asking('pool.localhost:5173')).toBe('pool.localhost')
    await sandbox.close()
  })

  test('answers the password’s refusal at sign-in', async () => {
    await add()
    const call = (more: object) =>
      product.call(login, { payload: { username: someone.email, password: PASSWORD, ...more } })
    const asked = await call({})
    expect(asked).toMatchObject({ status: 401, body: { code: 'factorRequired' } })
    const { details } = (asked as Answer).body as {
      details: { kinds: string[]; passkey: PasskeyOptions }
    }
    expect(details.kinds).toEqual(['PASSKEY'])
    const factor = { kind: 'PASSKEY', response: device.get(details.passkey) }
    expect(await call({ factor })).toMatchObject({ status: 200, body: { userId: someone.id } })
    expect(await call({ factor })).toMatchObject(refused)
  })
})

describe('signing in by a passkey alone', () => {
  test('starts a session of its owner', async () => {
    await add()
    const options = await toSignIn()
    expect(options).toMatchObject({ userVerification: 'required' })
    expect(options).not.toHaveProperty('allowCredentials')
    const response = device.get(options)
    const answer = await signIn(response)
    expect(answer).toMatchObject({
      status: 200,
      body: { userId: someone.id, username: someone.email, roles: [{ type: 'USER' }] },
    })
    expect(await signIn(response)).toMatchObject(refused)
    // The passkey counts as a factor of the new session.
    const { token } = answer.body
    const begun = await product.call(beginPasskey, { token, payload: {} })
    expect(begun.status).toBe(200)
  })

  test('needs the owner’s finger or PIN', async () => {
    await add()
    expect(await signIn(device.get(await toSignIn(), { isVerified: false }))).toMatchObject(refused)
    // With the password, presence is enough.
    expect((await prove(device.get(await toProve(), { isVerified: false }))).status).toBe(200)
  })

  test('refuses unknown passkeys, other challenges and suspended users', async () => {
    await add()
    expect(await signIn(newDevice(ORIGIN).get(await toSignIn()))).toMatchObject(refused)
    expect(await signIn(device.get(await toProve()))).toMatchObject(refused)
    expect(await prove(device.get(await toSignIn()))).toMatchObject(refused)
    await product.database.superuser.query('UPDATE users SET suspended_at = now() WHERE id = $1', [
      someone.id,
    ])
    expect(await signIn(device.get(await toSignIn()))).toMatchObject({
      status: 403,
      body: { code: 'suspended' },
    })
  })

  test('writes nothing for strangers', async () => {
    await product.database.superuser.query('DELETE FROM used_challenges')
    for (let n = 0; n < 5; n += 1) await signIn(newDevice(ORIGIN).get(await toSignIn()))
    const { rowCount } = await product.database.pool.query('SELECT FROM used_challenges')
    expect(rowCount).toBe(0)
  })
})

test('an app and a passkey stand beside each other', async () => {
  await add()
  const app = await addApp(product, someone)
  const payload = { username: someone.email, password: PASSWORD }
  const asked = await product.call(login, { payload })
  expect(asked.body).toMatchObject({ details: { kinds: ['PASSKEY', 'TOTP'] } })
  const factor = { kind: 'TOTP', code: app.code() }
  expect((await product.call(login, { payload: { ...payload, factor } })).status).toBe(200)
})

test('used challenges are forgotten once they ran out', async () => {
  await add()
  const { superuser } = product.database
  await superuser.query("UPDATE used_challenges SET expires_at = now() + interval '1 minute'")
  expect(await forgetChallenges(product.context.db)).toBe(0)
  const { rowCount } = await superuser.query('UPDATE used_challenges SET expires_at = now()')
  expect(await forgetChallenges(product.context.db)).toBe(rowCount)
})
