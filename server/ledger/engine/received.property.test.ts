import { cents } from '@pool/contract/base/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideBy, NO_FACTS, type TestFacts } from '../../testing/facts.ts'
import { POOL_OWNER } from '../families/accounts.ts'
import type { Operation } from '../families/movements.ts'

const STAFF = ['eve', 'bob', 'ann', 'joe'] as const
const AMOUNTS = [40_00n, 45_00n, 50_00n].map(cents)

/** A pending deposit of 50 dollars. One person decides alone below `perPerson`. */
const factsWith = (perPerson: bigint): TestFacts => ({
  ...NO_FACTS,
  accounts: [
    { id: 1n, ownerId: 'ada', kind: 'available', balance: 0n },
    { id: 2n, ownerId: POOL_OWNER, kind: 'custody', balance: null },
  ],
  requests: new Map([
    [
      'deposit',
      {
        ownerId: 'ada',
        ownerIds: ['ada'],
        status: 'PENDING',
        needed: 1,
        evidence: null,
        walletId: 'wallet',
        payee: '',
        fee: 0n,
        approvals: [],
      },
    ],
  ]),
  staff: new Map(STAFF.map((id) => [id, id])),
  limits: { perPerson: cents(perPerson), perPool: cents(1_000_00n) },
})

const confirmation = fc.record({
  by: fc.constantFrom(...STAFF),
  amount: fc.constantFrom(...AMOUNTS),
})
type Confirmation = typeof confirmation extends fc.Arbitrary<infer T> ? T : never

const operationOf = ({ by, amount }: Confirmation): Operation => ({
  movement: 'deposit_confirmed',
  by: { id: by, from: 'tests' },
  id: 'deposit',
  ownerId: 'ada',
  amount,
  entry: { after: { status: 'APPROVED' } },
})

test('no amount is credited that too few named', () => {
  const seen = { alone: 0, together: 0, refused: 0 }
  fc.assert(
    fc.property(
      fc.array(confirmation, { maxLength: 8 }),
      fc.constantFrom(0n, 42_00n, 100_00n),
      (confirmations, perPerson) => {
        const operations = confirmations.map(operationOf)
        const { verdicts, noted } = decideBy(operations, factsWith(perPerson))
        const accepted = verdicts.flatMap(({ accepted }, n) =>
          accepted ? [{ ...accepted, ...(confirmations[n] as Confirmation) }] : [],
        )
        const credits = accepted.filter(({ transfers }) => transfers.length > 0)
        expect(credits.length).toBeLessThanOrEqual(1)
        for (const { amount, transfers } of credits) {
          expect(transfers).toEqual([{ from: 2n, to: 1n, amount }])
          const named = accepted.filter((each) => each.amount === amount).map(({ by }) => by)
          expect(new Set(named).size).toBe(named.length)
          expect(named.length).toBeGreaterThanOrEqual(noted.requests.get('deposit')?.needed ?? 0)
          // The rule of the limits, stated once more: above them two people decide.
          expect(named.length).toBeGreaterThanOrEqual(amount > perPerson ? 2 : 1)
          seen[named.length > 1 ? 'together' : 'alone'] += 1
        }
        // All approvals of a deposit are for one amount.
        expect(new Set(accepted.map(({ amount }) => amount)).size).toBeLessThanOrEqual(1)
        seen.refused += verdicts.filter(
          ({ outcome }) => 'refused' in outcome && outcome.refused === 'amountDiffers',
        ).length
      },
    ),
    { numRuns: 2_000 },
  )
  // The property would hold of rules that refuse everything.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100)
})
