import type { Endpoint } from '@pool/contract/base/endpoint'
import { endpoints } from '@pool/contract/base/endpoints'
import { expect, test } from 'vitest'
import { type Person, person, testProduct } from '../../testing/product.ts'

// The matrix has each call of a frozen account.

const product = testProduct()

const calls = Object.entries(endpoints) as [string, Endpoint][]

const frozen = async (): Promise<Person> => {
  const someone = await person(product)
  await product.database.superuser.query(
    'UPDATE users SET frozen_at = now(), frozen_since = now() WHERE id = $1',
    [someone.id],
  )
  return someone
}

test('frozen accounts write only what helps their owner', () => {
  const written = calls.filter(([, { whileFrozen }]) => whileFrozen).map(([name]) => name)
  expect(written.sort()).toEqual([
    'balance',
    'cancel',
    'endOtherSessions',
    'endReadingKey',
    'endSession',
    'logout',
    'passkeyOptions',
    'proveFactor',
    'readNotices',
  ])
})

test.each(
  calls.filter(
    ([, { access, method, whileFrozen }]) =>
      access === 'user' && method !== 'GET' && whileFrozen !== true,
  ),
)('a frozen account is refused %s', async (_, endpoint) => {
  const { token } = await frozen()
  const params = { id: crypto.randomUUID(), userId: crypto.randomUUID(), name: 'deposits' }
  expect(await product.call(endpoint, { token, params, payload: {} })).toMatchObject({
    status: 403,
    body: { code: 'accountFrozen' },
  })
})
