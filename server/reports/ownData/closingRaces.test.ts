import { login } from '@pool/contract/accounts/users'
import { invest } from '@pool/contract/money/investments'
import { closeAccount } from '@pool/contract/reports/ownData'
import { confirm } from '@pool/contract/requests/decisions'
import { cancel, deposit } from '@pool/contract/requests/requests'
import { beforeAll, expect, test } from 'vitest'
import {
  investorWith,
  PASSWORD,
  type Person,
  person,
  testProduct,
  wallets,
} from '../../testing/product.ts'

const product = testProduct()
let admin: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
})

const rows = async <Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await product.database.superuser.query<Row>(text, values)).rows
const close = ({ token }: Person, password = PASSWORD) =>
  product.call(closeAccount, { token, payload: { password } })
const codeOf = ({ body }: { body: unknown }) => (body as { code?: string } | null)?.code
const closedOf = async ({ id }: Person) =>
  (
    await rows<{ closed: boolean }>(
      'SELECT closed_at IS NOT NULL AS closed FROM users WHERE id = $1',
      id,
    )
  )[0]?.closed

const asked = async ({ id, token }: Person, amount = 20): Promise<string> => {
  const { body } = await product.call(deposit, { token, payload: { userId: id, amount } })
  return body.transactionId
}

/** Money, open requests and sessions of closed accounts, which must not be. */
const faults = () =>
  rows(
    `SELECT u.id FROM users AS u WHERE closed_at IS NOT NULL AND (
      EXISTS (SELECT FROM accounts AS a WHERE a.owner_id = u.id AND (a.balance <> 0 OR a.closed_at IS NULL))
      OR EXISTS (SELECT FROM transactions AS t WHERE t.user_id = u.id AND (t.status = 'PENDING' OR t.investment_status = 'ACTIVE'))
      OR EXISTS (SELECT FROM sessions AS s WHERE s.user_id = u.id)
      OR EXISTS (SELECT FROM factors AS f WHERE f.user_id = u.id)
      OR EXISTS (SELECT FROM wallets AS w WHERE w.owner_id = u.id AND w.archived_at IS NULL))`,
  )

test('a race with deposit requests never closes over one', async () => {
  for (let round = 0; round < 5; round += 1) {
    const investor = await person(product)
    const { id: userId, token } = investor
    await wallets(product, 1)
    const requests = Array.from({ length: 2 }, async () => {
      for (;;) {
        const { status, body } = await product.call(deposit, {
          token,
          payload: { userId, amount: 20 },
        })
        if (status !== 200) return status
        const { transactionId: id } = body
        const ended = await product.call(cancel, { token, params: { id }, payload: {} })
        if (ended.status === 401) return 'left open'
      }
    })
    const closing = async () => {
      for (;;) {
        const answer = await close(investor)
        if (answer.status === 200) return answer.status
        expect(codeOf(answer)).toBe('requestsOpen')
      }
    }
    expect(await Promise.all([...requests, closing()])).toEqual([401, 401, 200])
    expect(await faults()).toEqual([])
  }
})

test('a race with confirming and cancelling leaves no money', async () => {
  for (let round = 0; round < 12; round += 1) {
    const investor = await person(product)
    const { token } = investor
    await wallets(product, 1)
    const id = await asked(investor)
    const acts = [
      () => product.call(cancel, { token, params: { id }, payload: {} }),
      () => product.call(confirm, { token: admin.token, payload: { transactionId: id } }),
      () => close(investor),
      () => close(investor),
    ]
    const turned = [...acts.slice(round % 4), ...acts.slice(0, round % 4)]
    await Promise.all(turned.map((act) => act()))
    expect(await faults()).toEqual([])
    const [state] = await rows<{ status: string }>(
      'SELECT status FROM transactions WHERE id = $1',
      id,
    )
    if (await closedOf(investor)) expect(state?.status).toBe('REJECTED')
  }
})

test('a race with sign-ins leaves no session', async () => {
  for (let round = 0; round < 8; round += 1) {
    const investor = await person(product)
    const signIn = () =>
      product.call(login, { payload: { username: investor.email, password: PASSWORD } })
    const answers = await Promise.all([signIn(), signIn(), close(investor), signIn(), signIn()])
    expect(answers[2]?.status).toBe(200)
    for (const { status } of answers) expect([200, 401]).toContain(status)
    expect(await faults()).toEqual([])
    expect((await signIn()).status).toBe(401)
  }
})

test('a race with an investment leaves both or none', async () => {
  for (let round = 0; round < 8; round += 1) {
    const investor = await investorWith(product, 20)
    const { id: userId, token } = investor
    const order = [
      () => product.call(invest, { token, payload: { userId, amount: 20, durationDays: 1 } }),
      () => close(investor),
    ]
    if (round % 2 === 1) order.reverse()
    await Promise.all(order.map((act) => act()))
    expect(await closedOf(investor)).toBe(false)
  }
  expect(await faults()).toEqual([])
})
