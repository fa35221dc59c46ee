import { balance } from '@pool/contract/transactions'
import { login } from '@pool/contract/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { investorWith, PASSWORD, type Person, type Product, startProduct } from '../testing/product.ts'
import { hashPassword, passwordMatches } from './passwords.ts'

let product: Product
let investor: Person
beforeAll(async () => {
  product = await startProduct()
  investor = await investorWith(product, 100)
})
afterAll(() => product.close())

const signIn = () =>
  product.app.inject({ method: login.method, url: login.path, payload: { username: investor.email, password: PASSWORD } })

test('a hash is argon2id as OWASP recommends, salted, and fits its password alone', async () => {
  const [one, other] = await Promise.all([hashPassword('hunter2'), hashPassword('hunter2')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(other).not.toBe(one)
  expect(await passwordMatches(one, 'hunter2')).toBe(true)
  expect(await passwordMatches(one, 'hunter3')).toBe(false)
  expect(await passwordMatches(undefined, 'no account has this hash')).toBe(false)
})

test('a stored hash that is none is an error, and the next is worked at', async () => {
  await expect(passwordMatches('not a hash', 'hunter2')).rejects.toThrow()
  expect(await passwordMatches(await hashPassword('hunter2'), 'hunter2')).toBe(true)
})

test('more sign-ins than can be worked at are refused at once, uncounted; other calls are answered meanwhile; later sign-ins succeed', async () => {
  const order: string[] = []
  const signIns = Array.from({ length: 100 }, async () => {
    const answer = await signIn()
    order.push(answer.statusCode === 200 ? 'signed in' : 'refused')
    return answer
  })
  const read = await product.call(balance, { token: investor.token, payload: { userId: investor.id } })
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
