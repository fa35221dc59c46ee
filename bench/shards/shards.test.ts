import { expect, test } from 'vitest'
import type { Costs } from './costs.ts'
import { countRefusals, type Demand } from './dry.ts'
import { total } from './subAccounts.ts'
import { type Setup, simulate } from './throughput.ts'

const costs: Costs = {
  measuredAt: '',
  roundTrip: 0,
  change: 0.5,
  commit: 1,
  prepare: 1,
  commitPrepared: 1,
  group: 2,
  operation: 0.1,
  applied: 0.02,
  loops: [],
}

const setup: Setup = {
  shards: 1,
  accounts: 'split',
  callers: 80,
  processes: 1,
  roundTrip: 0,
  sweepSeconds: 1,
  seconds: 10,
  seed: 1,
}

test('one shard posts what its costs allow', () => {
  // A group of 80 takes 2 ms and 80 × 0.1 ms.
  const { perSecond, group, latency } = simulate(costs, setup)
  expect(group).toBe(80)
  expect(perSecond).toBe(8_000)
  expect(latency).toBeCloseTo(10, 6)
})

test('two processes wait for the locked accounts of one shard', () => {
  const alone = simulate({ ...costs, applied: 0 }, setup).perSecond
  const both = (applied: number) =>
    simulate({ ...costs, applied }, { ...setup, processes: 2, callers: 160 }).perSecond
  // Unlocked but for the commit, two post twice as much. Locked throughout, they take turns.
  expect(both(0)).toBeCloseTo(2 * alone, -2)
  expect(both(0.1)).toBeLessThan(1.15 * alone)
})

test('split accounts cross no shards and scale with them', () => {
  const eight = simulate(costs, { ...setup, shards: 8, callers: 640 })
  expect(eight.crossing).toBe(0)
  expect(eight.twoPhase).toBe(0)
  expect(eight.perSecond).toBeGreaterThan(6 * simulate(costs, setup).perSecond)
})

test('central accounts cross shards and bound the groups', () => {
  const at = (shards: number) =>
    simulate(costs, { ...setup, accounts: 'central', shards, callers: 80 * shards, roundTrip: 0.5 })
  expect(at(4).crossing).toBeCloseTo((36 / 38) * (3 / 4), 1)
  expect(at(8).twoPhase).toBeGreaterThan(at(8).crossing)
  // One group at a time holds the rows of the pool, for 0.5 + 1 + 1 + 2 × 0.5 ms.
  const { perSecond, group } = at(16)
  expect(perSecond / group).toBeLessThan(1_000 / 3.5 + 1_000 / 2.6)
  expect(at(16).perSecond).toBeLessThan(1.3 * at(8).perSecond)
})

const demand: Demand = {
  shards: 8,
  sweepSeconds: 10,
  onDemand: false,
  reserveSeconds: 60,
  topUpSeconds: 30,
  perSecond: 500,
  seconds: 120,
  seed: 7,
}

test('a simulated demand keeps every cent', () => {
  const { accounts, contributed, asked } = countRefusals(demand)
  expect(asked).toBeGreaterThan(50_000)
  expect(total(accounts.reserve) + total(accounts.committed)).toBe(contributed)
  expect(Math.min(...accounts.reserve)).toBeGreaterThanOrEqual(0)
})

test('the same seed gives the same figures', () => {
  expect(countRefusals(demand)).toEqual(countRefusals(demand))
  expect(countRefusals({ ...demand, seed: 8 })).not.toEqual(countRefusals(demand))
  expect(simulate(costs, { ...setup, shards: 4 })).toEqual(simulate(costs, { ...setup, shards: 4 }))
})

test('rare sweeps leave shards dry, frequent ones few', () => {
  const { dry: often } = countRefusals({ ...demand, sweepSeconds: 1 })
  const { dry: rarely } = countRefusals({ ...demand, sweepSeconds: 120 })
  expect(rarely).toBeGreaterThan(100)
  expect(often).toBeLessThan(rarely / 10)
  const { dry: asked } = countRefusals({ ...demand, sweepSeconds: 120, onDemand: true })
  expect(asked).toBeLessThan(rarely / 10)
})

test('one shard is never dry before the pool', () => {
  const { dry, exhausted } = countRefusals({ ...demand, shards: 1, reserveSeconds: 10 })
  expect(dry).toBe(0)
  expect(exhausted).toBeGreaterThan(100)
})
