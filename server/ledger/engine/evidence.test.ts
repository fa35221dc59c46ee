import { cents } from '@pool/contract/base/money'
import { describe, expect, test } from 'vitest'
import { AT, decideBy, NO_FACTS, type TestFacts } from '../../testing/facts.ts'
import { POOL_OWNER } from '../families/accounts.ts'
import type { Decidable, Evidence } from '../families/decisions.ts'
import type { Operation } from '../families/movements.ts'
import type { Use } from '../families/uses.ts'

const pending: Decidable = {
  ownerId: 'ada',
  ownerIds: ['ada'],
  status: 'PENDING',
  needed: 1,
  evidence: null,
  walletId: 'wallet',
  payee: '',
  fee: 0n,
  approvals: [],
}
const coins = { network: 'Bitcoin', id: 'coins' }

const confirm = (evidence: Evidence, { by = 'eve', id = 'request' } = {}): Operation => ({
  movement: 'deposit_confirmed',
  by: { id: by, from: 'tests' },
  id,
  ownerId: 'ada',
  amount: cents(50_00n),
  entry: { after: { status: 'APPROVED' } },
  evidence,
})

const outcomes = (operations: readonly Operation[], facts: Partial<TestFacts> = {}) =>
  decideBy(operations, {
    ...NO_FACTS,
    accounts: [
      { id: 1n, ownerId: 'ada', kind: 'available', balance: 0n },
      { id: 2n, ownerId: POOL_OWNER, kind: 'custody', balance: null },
    ],
    staff: new Map(['eve', 'bob'].map((id) => [id, id])),
    requests: new Map([['request', pending]]),
    ...facts,
  }).verdicts.map(({ outcome }) => outcome)

/** The fact that another row, a deposit unless it says so, rests on the same transaction. */
const claimed = (claim: Partial<Use> = {}): Partial<TestFacts> => ({
  evidence: new Map([
    [
      'Bitcoin coins',
      [{ id: 'another', kind: 'deposit', walletId: 'wallet', output: null, ...claim }],
    ],
  ]),
})
const known = (evidence: string): Partial<TestFacts> => ({
  requests: new Map([['request', { ...pending, evidence }]]),
})

describe('evidence', () => {
  test.each<[string, Evidence, Partial<TestFacts>]>([
    ['evidenceDiffers', coins, known('other')],
    ['evidenceDiffers', { ...coins, output: 1 }, known('coins')],
    ['posted', coins, known('coins')],
    ['evidenceUsed', coins, claimed()],
    ['evidenceUsed', coins, claimed({ output: 1 })],
    ['posted', coins, claimed({ walletId: 'another wallet' })],
    ['posted', coins, claimed({ id: 'request' })],
    ['evidenceOutputUsed', { ...coins, output: 1 }, claimed({ output: 1 })],
    [
      'evidenceOutputUsed',
      { ...coins, output: 1 },
      claimed({ output: 1, walletId: 'another wallet' }),
    ],
    ['posted', { ...coins, output: 1 }, claimed({ output: 2 })],
    ['evidenceUsed', { ...coins, output: 1 }, claimed({ kind: 'capital', walletId: null })],
    ['evidenceUsed', coins, claimed({ kind: 'capital', walletId: null, output: 2 })],
    ['posted', { ...coins, output: 1 }, claimed({ kind: 'capital', walletId: null, output: 2 })],
    ['evidenceUsed', coins, claimed({ kind: 'repayment', walletId: null })],
    ['posted', coins, claimed({ kind: 'disbursement', walletId: null })],
  ])('is %s', (expected, evidence, facts) => {
    const [outcome] = outcomes([confirm(evidence)], facts)
    expect(outcome && 'refused' in outcome ? outcome.refused : 'posted').toBe(expected)
  })

  test('of an output beside an unnamed one needs two people', () => {
    const both = ['eve', 'bob'].map((by) => confirm({ ...coins, output: 1 }, { by }))
    expect(outcomes(both, claimed())).toEqual([
      { id: 'request', at: AT, missing: 1 },
      { id: 'request', at: AT },
    ])
    const elsewhere = claimed({ walletId: 'another wallet' })
    expect(outcomes(both.slice(0, 1), elsewhere)).toEqual([{ id: 'request', at: AT }])
  })

  test('is used once in a group', () => {
    const requests = new Map(['a', 'b'].map((id) => [id, pending]))
    const both = ['a', 'b'].map((id) => confirm(coins, { id }))
    expect(outcomes(both, { requests })).toEqual([{ id: 'a', at: AT }, { refused: 'evidenceUsed' }])
  })
})
