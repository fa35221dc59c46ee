import {
  beginTotp,
  confirmTotp,
  listFactors,
  proveFactor,
  removeFactor,
} from '@pool/contract/accounts/factors'
import { currentUser, login, logout } from '@pool/contract/accounts/users'
import { savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import { listAudit } from '@pool/contract/reports/audit'
import { listNotices } from '@pool/contract/reports/notices'
import { deposit } from '@pool/contract/requests/requests'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keysOf } from '../../base/keys/keys.ts'
import { startSession } from '../../base/sessions/sessions.ts'
import { newAddress } from '../../testing/addresses.ts'
import { type App, appWith } from '../../testing/authenticator.ts'
import { addApp, letFactorAge } from '../../testing/factors.ts'
import {
  codeOf,
  newSecret,
  PASSWORD,
  type Person,
  type Product,
  person,
  startedAgain,
  startProduct,
  wallets,
} from '../../testing/product.ts'

const [old, next] = [newSecret(), newSecret()]
const mark = { position: 1n, hash: '0'.repeat(64) }
const leaked = keysOf([next, { ...old, leaked: mark }])

/** The product with its first key, with a second one, and after the first one leaked. */
let first: Product
let rotated: Product
let product: Product
let node: Product
beforeAll(async () => {
  first = await startProduct({}, { keys: keysOf([old]) })
  rotated = await startedAgain(first, keysOf([next, old]))
  product = await startedAgain(first, leaked)
  node = await startedAgain(first, leaked)
})
afterAll(async () => {
  for (const each of [node, product, rotated, first]) await each.close()
})

let someone: Person
let app: Awaited<ReturnType<typeof addApp>>
beforeEach(async () => {
  someone = await person(first)
  app = await addApp(first, someone)
})

type Answer = { readonly kind: 'TOTP' | 'RECOVERY_CODE'; readonly code: string }
const totp = (code: string): Answer => ({ kind: 'TOTP', code })
const signIn = async (factor: Answer): Promise<string> => {
  const answer = await product.call(login, {
    payload: { username: someone.email, password: PASSWORD, factor },
  })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.token
}
const spare = (place = 0): Answer => ({
  kind: 'RECOVERY_CODE',
  code: app.recoveryCodes[place] ?? '',
})

const begin = async (token: string, at = product) => {
  const begun = await at.call(beginTotp, { token, payload: { password: PASSWORD } })
  expect(begun).toMatchObject({ status: 200 })
  const { enrolment, secret } = begun.body
  return { enrolment, app: appWith(secret) }
}
const confirm = async (
  token: string,
  { enrolment, app: made }: { readonly enrolment: string; readonly app: App },
  at = product,
) => {
  const send = () =>
    at.call(confirmTotp, { token, payload: { enrolment, name: 'New', code: made.code(-1) } })
  const answer = await send()
  // A step may end between the making of a code and its check.
  return codeOf(answer) === 'factorWrong' ? send() : answer
}
const notices = async (token: string, at = product) => {
  const answer = await at.call(listNotices, { token })
  return answer.status === 200 ? 200 : codeOf(answer)
}
const saveAddress = async (token: string) => {
  const payload = { address: newAddress(), networkName: 'Bitcoin' }
  const answer = await product.call(savePayoutAddress, { token, payload })
  return answer.status === 200 ? 200 : codeOf(answer)
}
const factorsOf = async (token: string) => (await product.call(listFactors, { token })).body.factors

test('a session that a leaked key signed is none', async () => {
  expect(await notices(someone.token, first)).toBe(200)
  expect((await product.call(listNotices, { token: someone.token })).status).toBe(401)
})

describe('an app of a leaked key', () => {
  test('lets its user in to replace it alone', async () => {
    const token = await signIn(totp(app.code()))
    expect(await notices(token)).toBe('enrolFactor')
    expect(await saveAddress(token)).toBe('enrolFactor')
    const query = { username: someone.email }
    expect((await product.call(currentUser, { token, query })).status).toBe(200)
    expect(await factorsOf(token)).toMatchObject([{ name: 'My phone', leaked: true }])
    const without = await product.call(beginTotp, { token, payload: {} })
    expect(codeOf(without)).toBe('wrongPassword')
    expect((await product.call(logout, { token })).status).toBe(200)
  })

  test('is replaced by a new factor, and its sessions end', async () => {
    const token = await signIn(totp(app.code()))
    const thief = await signIn(totp(app.code(1)))
    const made = await begin(token)
    expect(await confirm(token, made)).toMatchObject({ status: 200, body: { recoveryCodes: [] } })
    expect(await factorsOf(token)).toMatchObject([{ name: 'New', leaked: false }])
    expect([await notices(token), await saveAddress(token)]).toEqual([200, 200])
    expect((await product.call(listNotices, { token: thief })).status).toBe(401)
    const refused = await product.call(login, {
      payload: { username: someone.email, password: PASSWORD, factor: totp(app.code(1)) },
    })
    expect(codeOf(refused)).toBe('factorWrong')
    expect(await notices(await signIn(spare()))).toBe(200)
  })

  test('leaves on record that it was replaced, and one mail', async () => {
    const token = await signIn(totp(app.code()))
    await first.database.superuser.query('DELETE FROM mails')
    await confirm(token, await begin(token))
    const boss = await startSession(product.context, (await person(first, ['SUPER_ADMIN'])).id)
    const { body } = await product.call(listAudit, {
      token: boss,
      query: { search: someone.id, action: 'factor.removed,factor.added', limit: '2' },
    })
    expect(body).toMatchObject([
      { action: 'factor.added', after: { name: 'New' } },
      { action: 'factor.removed', before: { name: 'My phone', digest: expect.any(String) } },
    ])
    const { rows } = await first.database.pool.query('SELECT template FROM mails')
    expect(rows).toEqual([{ template: 'factorsChanged' }])
  })

  test('is replaced once by two enrolments at once', async () => {
    const tokens = [await signIn(totp(app.code())), await signIn(totp(app.code(1)))]
    const nodes = [product, node]
    const made = await Promise.all(tokens.map((token, place) => begin(token, nodes[place])))
    const answers = await Promise.all(
      made.map((each, place) => confirm(tokens[place] ?? '', each, nodes[place])),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    const { rows } = await first.database.pool.query(
      'SELECT name FROM factors WHERE user_id = $1',
      [someone.id],
    )
    expect(rows).toEqual([{ name: 'New' }])
  })

  test('is seen as replaced by another node at once', async () => {
    await wallets(first, 1)
    const token = await signIn(totp(app.code()))
    expect(await notices(token, node)).toBe('enrolFactor')
    await confirm(token, await begin(token))
    const payload = { userId: someone.id, amount: 40 }
    expect((await node.call(deposit, { token, payload })).status).toBe(200)
  })
})

test('a recovery code proves as before', async () => {
  const token = await signIn(spare())
  expect([await notices(token), await saveAddress(token)]).toEqual([200, 200])
  await letFactorAge(product, someone, '6 minutes')
  expect([await notices(token), await saveAddress(token)]).toEqual([200, 'enrolFactor'])
  expect((await product.call(proveFactor, { token, payload: spare(1) })).status).toBe(200)
  expect(await saveAddress(token)).toBe(200)
})

describe('beside a sound factor', () => {
  let sound: App
  let proven: string
  beforeEach(async () => {
    const token = await startSession(rotated.context, someone.id)
    expect((await rotated.call(proveFactor, { token, payload: totp(app.code()) })).status).toBe(200)
    const made = await begin(token, rotated)
    expect(await confirm(token, made, rotated)).toMatchObject({ status: 200 })
    sound = made.app
    proven = token
  })

  test('an app of a leaked key adds none without it', async () => {
    expect(await notices(proven)).toBe(200)
    const token = await signIn(totp(app.code(1)))
    expect(await notices(token)).toBe('enrolFactor')
    const begun = await product.call(beginTotp, { token, payload: { password: PASSWORD } })
    expect(begun.body).toMatchObject({ code: 'factorNeeded', details: { kinds: ['TOTP'] } })
    expect((await product.call(proveFactor, { token, payload: totp(sound.code()) })).status).toBe(
      200,
    )
    expect(await notices(token)).toBe(200)
  })

  test('an app of a leaked key proves nothing again', async () => {
    await letFactorAge(product, someone, '6 minutes')
    const answer = await product.call(proveFactor, { token: proven, payload: totp(app.code(1)) })
    expect(codeOf(answer)).toBe('enrolFactor')
    expect(await saveAddress(proven)).toBe('factorNeeded')
  })

  test('its removal ends the sessions that it started', async () => {
    const thief = await signIn(totp(app.code(1)))
    const id = (await factorsOf(proven)).find((each) => each.leaked)?.id ?? ''
    expect((await product.call(removeFactor, { token: proven, params: { id } })).status).toBe(200)
    expect((await product.call(listNotices, { token: thief })).status).toBe(401)
    expect(await notices(proven)).toBe(200)
  })
})
