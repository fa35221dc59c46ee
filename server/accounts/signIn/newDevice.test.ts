import { login } from '@pool/contract/accounts/users'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, type Person, type Product, person, startProduct } from '../../testing/product.ts'
import { forgetOldDevices } from './newDevice.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15'

let product: Product
let someone: Person
beforeAll(async () => {
  product = await startProduct({ TRUST_PROXY: 'loopback' })
})
afterAll(() => product.close())
beforeEach(async () => {
  someone = await person(product)
})

const signIn = async ({
  ip = '203.0.113.9',
  userAgent = FIREFOX,
  language = 'en',
  password = PASSWORD,
} = {}) => {
  const { statusCode: status } = await product.app.inject({
    method: login.method,
    url: login.path,
    headers: { 'x-forwarded-for': ip, 'user-agent': userAgent, 'accept-language': language },
    payload: { username: someone.email, password },
  })
  return { status }
}
const rows = async (text: string) =>
  (await product.database.superuser.query(text, [someone.id])).rows
const mails = () =>
  rows('SELECT template, language, recipient, parameters FROM mails WHERE user_id = $1 ORDER BY id')

describe('a sign-in from a new device', () => {
  test('is told by mail, the first one is not', async () => {
    await signIn({ language: 'es' })
    expect(await mails()).toEqual([])
    await signIn({ userAgent: SAFARI, ip: '198.51.100.7' })
    const [mail, ...others] = await mails()
    // In the language of the known device, since the new one may be a thief's.
    expect(mail).toMatchObject({
      template: 'newDevice',
      language: 'es',
      recipient: someone.email,
      parameters: { browser: 'Safari', system: 'macOS', ip: '198.51.100.7' },
    })
    expect(others).toEqual([])
  })

  test('is told once, and again after 90 days', async () => {
    await signIn()
    await signIn({ userAgent: SAFARI })
    await signIn({ userAgent: SAFARI })
    await signIn({ userAgent: SAFARI, ip: '203.0.113.77' })
    expect(await mails()).toHaveLength(1)
    await rows(
      "UPDATE known_devices SET last_seen_at = now() - interval '91 days' WHERE user_id = $1",
    )
    // The latest stays, so that the next sign-in is not taken for the first one.
    expect(await forgetOldDevices(product.context.db)).toBe(1)
    await signIn({ userAgent: SAFARI })
    expect(await mails()).toHaveLength(2)
  })

  test('sends five mails in an hour at most', async () => {
    await signIn()
    for (let n = 0; n < 8; n += 1) await signIn({ ip: `198.51.${n}.1` })
    expect(await mails()).toHaveLength(5)
    expect((await signIn({ ip: '192.0.2.1' })).status).toBe(200)
  })

  test('writes nothing when the password is wrong', async () => {
    await signIn()
    expect((await signIn({ userAgent: SAFARI, password: 'not this one' })).status).toBe(401)
    expect(await mails()).toEqual([])
    expect(await rows('SELECT FROM known_devices WHERE user_id = $1')).toHaveLength(1)
  })
})
