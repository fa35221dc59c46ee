import {
  type Cents,
  cents,
  centsFromDollars,
  dollarsFromCents,
  MAXIMUM_AMOUNT,
} from '@pool/contract/base/money'
import { createWallet, deleteWallet, listWallets, type Wallet } from '@pool/contract/chain/wallets'
import { defaultPlans, interestOn } from '@pool/contract/money/plans'
import { deposit } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { beforeAll, expect, test } from 'vitest'
import { startSession } from '../server/base/sessions/sessions.ts'
import { openRandom } from '../server/operator/demo/random.ts'
import { expireDeposits } from '../server/requests/transactions/expireDeposits.ts'
import { newAddress } from '../server/testing/addresses.ts'
import { type Person, person, testProduct } from '../server/testing/product.ts'
import { FULL, rounds } from '../server/testing/rounds.ts'

/** Properties over many tries: few in a usual run, all with FAULTS=full. */

const LIMIT = { timeout: FULL ? 7_200_000 : 60_000 }
const SEED = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 1e9))
const random = openRandom(SEED).next
const below = (count: number) => Math.floor(random() * count)

const product = testProduct()
let admin: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
})

const addWallet = async (): Promise<Wallet> => {
  const payload = { address: newAddress(), networkName: 'Bitcoin' }
  return (await product.call(createWallet, { token: admin.token, payload })).body
}
const removeWallet = async (id: string) =>
  (await product.call(deleteWallet, { token: admin.token, params: { id } })).status

test('10,000 requests show no wallet to two investors', LIMIT, async () => {
  const people = await Promise.all(
    Array.from({ length: rounds({ full: 300, short: 15 }) }, () => person(product)),
  )
  const ownerOf = new Map<string, string>()
  const wishes = [
    async () => {
      const { id, token } = people[below(people.length)] as Person
      const { status, body } = await product.call(deposit, {
        token,
        payload: { userId: id, amount: 20 },
      })
      if (status !== 200) return expect(status).toBe(503)
      const { address } = body
      expect(ownerOf.get(address) ?? id, `seed ${SEED}`).toBe(id)
      ownerOf.set(address, id)
    },
    async () => {
      const { id } = await addWallet()
      if (random() < 0.5) expect([200, 409]).toContain(await removeWallet(id))
    },
  ]
  const total = rounds({ full: 10_000, short: 300 })
  for (let sent = 0; sent < total; sent += 20) {
    await Promise.all(Array.from({ length: 20 }, () => wishes[random() < 0.9 ? 0 : 1]?.()))
    // At most 20 deposits of an account may wait, so these expire to make room.
    await expireDeposits(product.context, 0)
  }
  expect(ownerOf.size).toBeGreaterThan(5)
  expect(new Set(ownerOf.values()).size).toBe(ownerOf.size)
})

test('an assigned wallet survives 100 deletions and keeps its owner', LIMIT, async () => {
  const { id: userId, token } = await person(product)
  await addWallet()
  await product.call(deposit, { token, payload: { userId, amount: 20 } })
  const { body } = await product.call(listWallets, {
    token: admin.token,
    query: { status: 'assigned', limit: '100' },
  })
  const assigned = body
  for (let n = 0; n < 100; n += 1)
    expect(await removeWallet(assigned[n % assigned.length]?.id ?? '')).toBe(409)
  for (const { id } of assigned) {
    const { rows } = await product.database.pool.query(
      'SELECT owner_id FROM wallets WHERE id = $1',
      [id],
    )
    expect(rows).toEqual([{ owner_id: expect.any(String) }])
  }
})

test('1,000 tokens of idle, old and ended sessions are refused', LIMIT, async () => {
  const { superuser } = product.database
  const ended =
    "token_hash IN (SELECT sha256(convert_to(token, 'UTF8')) FROM unnest($1::text[]) AS token)"
  const endings = [
    `UPDATE sessions SET last_used_at = now() - interval '15 minutes' WHERE ${ended}`,
    `UPDATE sessions SET created_at = now() - interval '12 hours' WHERE ${ended}`,
    `DELETE FROM sessions WHERE ${ended}`,
  ]
  const statuses = (tokens: readonly string[]) =>
    Promise.all(
      tokens.map(
        async (token) =>
          (await product.call(listTransactions, { token, query: { limit: '1' } })).status,
      ),
    )
  const all = (status: number) => Array.from({ length: 50 }, () => status)
  for (let group = 0; group < rounds({ full: 20, short: 3 }); group += 1) {
    const tokens = await Promise.all(all(0).map(() => startSession(product.context, admin.id)))
    expect(await statuses(tokens)).toEqual(all(200))
    await superuser.query(endings[group % 3] ?? '', [tokens])
    expect(await statuses(tokens)).toEqual(all(401))
  }
})

/** An amount in cents. Every other one is small, with the largest share of rounding. */
const anyAmount = (n: number) =>
  cents(BigInt(1 + below(n % 2 === 0 ? MAXIMUM_AMOUNT * 100 : 10_000)))
const anyPlan = (n: number) => defaultPlans[n % defaultPlans.length] ?? defaultPlans[0]

test('1,000,000 amounts earn the exact interest, rounded down', LIMIT, () => {
  let wrong: unknown
  for (let n = 0; n < 1_000_000; n += 1) {
    const [amount, plan] = [anyAmount(n), anyPlan(n)]
    const [interest, exact] = [
      interestOn(amount, plan) * 10_000n,
      amount * BigInt(plan.rateBasisPoints),
    ]
    const roundedDown = interest <= exact && exact < interest + 10_000n
    if (!roundedDown || centsFromDollars(dollarsFromCents(amount)) !== amount)
      wrong = { amount, plan }
  }
  expect(wrong, `seed ${SEED}`).toBeUndefined()
})

test('splitting any of 100,000 amounts never earns more', LIMIT, () => {
  let wrong: unknown
  for (let n = 0; n < 100_000; n += 1) {
    const [amount, plan] = [anyAmount(n), anyPlan(n)]
    const parts: Cents[] = []
    for (let left: bigint = amount; left > 0n; ) {
      const part =
        parts.length === 50 ? left : BigInt(1 + below(Number(n % 3 === 0 ? left : left / 8n + 1n)))
      parts.push(cents(part))
      left -= part
    }
    const apart = parts.reduce((sum, part) => sum + interestOn(part, plan), 0n)
    if (apart > interestOn(amount, plan)) wrong = { parts, plan }
  }
  expect(wrong, `seed ${SEED}`).toBeUndefined()
})
