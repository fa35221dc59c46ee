import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchPayments } from './matchPayments.ts'

type Item = { readonly ownerId: string; readonly walletId: string; readonly amount: bigint }
const items = fc.array(
  fc.record({
    ownerId: fc.constant('owner'),
    walletId: fc.constantFrom('a', 'b'),
    amount: fc.bigInt({ min: 1n, max: 4n }),
  }),
  { maxLength: 12 },
)
const match = (payments: readonly Item[], deposits: readonly Item[]) =>
  matchPayments(payments, deposits, ({ amount }) => amount)
const count = (some: readonly Item[], wallet: string, amount?: bigint) =>
  some.filter((each) => each.walletId === wallet && (amount ?? each.amount) === each.amount).length

test('a payment and a deposit of its wallet pair once', () => {
  fc.assert(
    fc.property(items, items, (payments, deposits) => {
      const pairs = [...match(payments, deposits)]
      expect(new Set(pairs.map(([, deposit]) => deposit)).size).toBe(pairs.length)
      for (const [payment, deposit] of pairs) expect(deposit.walletId).toBe(payment.walletId)
      for (const wallet of ['a', 'b']) {
        // Nothing is left over on both sides.
        const paired = pairs.filter(([{ walletId }]) => walletId === wallet).length
        expect(paired).toBe(Math.min(count(payments, wallet), count(deposits, wallet)))
        for (const amount of [1n, 2n, 3n, 4n]) {
          const exact = pairs.filter(
            ([payment, deposit]) =>
              payment.walletId === wallet && payment.amount === amount && deposit.amount === amount,
          )
          expect(exact.length).toBeGreaterThanOrEqual(
            Math.min(count(payments, wallet, amount), count(deposits, wallet, amount)),
          )
        }
      }
    }),
  )
})

test('the oldest deposit that is left comes first', () => {
  const own = { ownerId: 'owner', walletId: 'a' }
  expect(match([{ ...own, amount: 1n }], [{ ...own, ownerId: 'thief', amount: 1n }]).size).toBe(0)
  const [first, second] = [
    { ...own, amount: 5n },
    { ...own, amount: 6n },
  ]
  const [small, exact] = [
    { ...own, amount: 1n },
    { ...own, amount: 5n },
  ]
  expect(match([small], [first, second]).get(small)).toBe(first)
  expect(match([small, exact], [first, second])).toEqual(
    new Map([
      [exact, first],
      [small, second],
    ]),
  )
})
