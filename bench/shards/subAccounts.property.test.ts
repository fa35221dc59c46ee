import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  balanceOf,
  commitInterest,
  contribute,
  openSubAccounts,
  payInterest,
  planSweep,
  type SubAccounts,
  sweep,
  type Transfer,
  total,
} from './subAccounts.ts'

const SHARDS = 5
const shard = fc.nat({ max: SHARDS - 1 })
const cents = fc.integer({ min: 1, max: 100_000 })

/** A sweep is planned at one moment and done at a later one, between other changes. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('contribute' as const), shard, cents }),
  fc.record({ kind: fc.constant('commit' as const), shard, cents }),
  fc.record({ kind: fc.constant('pay' as const), shard, cents }),
  fc.record({ kind: fc.constant('plan' as const) }),
  fc.record({ kind: fc.constant('sweep' as const) }),
)

type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never

type World = {
  readonly accounts: SubAccounts
  plan: readonly Transfer[]
  contributed: number
  paid: number
}

const take = (world: World, each: Step): void => {
  const { accounts } = world
  switch (each.kind) {
    case 'contribute':
      contribute(accounts, each.shard, each.cents)
      world.contributed += each.cents
      return
    case 'commit':
      commitInterest(accounts, each.shard, each.cents)
      return
    case 'pay': {
      const amount = Math.min(each.cents, balanceOf(accounts.committed, each.shard))
      payInterest(accounts, each.shard, amount)
      world.paid += amount
      return
    }
    case 'plan':
      world.plan = planSweep(accounts.reserve)
      return
    case 'sweep':
      for (const transfer of world.plan) sweep(accounts, transfer)
      world.plan = []
  }
}

test('sub-accounts keep every cent and never go negative', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const world: World = { accounts: openSubAccounts(SHARDS), plan: [], contributed: 0, paid: 0 }
      for (const each of steps) {
        take(world, each)
        const { reserve, committed } = world.accounts
        expect(total(reserve) + total(committed) + world.paid).toBe(world.contributed)
        expect(Math.min(...reserve, ...committed)).toBeGreaterThanOrEqual(0)
      }
    }),
    { numRuns: 1_000 },
  )
})

test('a sweep at once leaves equal reserves', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1e12 }), { minLength: 1, maxLength: 16 }), (reserve) => {
      const accounts = { ...openSubAccounts(reserve.length), reserve: [...reserve] }
      const plan = planSweep(reserve)
      for (const transfer of plan) expect(sweep(accounts, transfer)).toBe(transfer.amount)
      expect(total(accounts.reserve)).toBe(total(reserve))
      expect(Math.max(...accounts.reserve) - Math.min(...accounts.reserve)).toBeLessThanOrEqual(1)
      expect(plan.length).toBeLessThan(reserve.length)
    }),
  )
})

test('a shard without reserve refuses what the pool covers', () => {
  const accounts = openSubAccounts(2)
  contribute(accounts, 0, 100)
  expect(commitInterest(accounts, 1, 1)).toBe(false)
  for (const transfer of planSweep(accounts.reserve)) sweep(accounts, transfer)
  expect(commitInterest(accounts, 1, 50)).toBe(true)
  expect(accounts).toEqual({ reserve: [50, 0], committed: [0, 50] })
})
