import { type CoinAccount, ownAccounts } from '@pool/contract/coins/custody'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CoinMovement,
  movementsOf,
  type Spending,
  type TransactionFacts,
} from './coinMovements.ts'

const spending = (more: Partial<Spending>): Spending => ({
  id: 'spending',
  height: 7,
  feeUnits: 0n,
  feeAsset: 'ETH',
  feeDecimals: 18,
  feeIsSpent: false,
  isSettled: false,
  spent: [],
  sent: [],
  ...more,
})
const coins = <Account>(account: Account, units: bigint, asset = 'USDC') => ({
  account,
  asset,
  units,
  decimals: 6,
})
const bitcoins = <Account>(account: Account, units: bigint) => ({
  account,
  asset: 'BTC',
  units,
  decimals: 8,
})
const inWords = (facts: TransactionFacts) =>
  movementsOf(facts).map(
    ({ kind, from, to, units, asset }) => `${kind} ${from} to ${to}: ${units} ${asset}`,
  )

describe('the movements of a transaction', () => {
  test('name a payment by the class of its address', () => {
    const payment = { id: 'p', output: 0, height: 7 }
    const payments = [
      { ...payment, ...coins('deposit' as const, 5n) },
      { ...payment, ...coins('payer' as const, 6n, 'ETH') },
    ]
    expect(inWords({ payments, spending: undefined })).toEqual([
      'RECEIVED investors to deposit: 5 USDC',
      'RECEIVED funding to payer: 6 ETH',
    ])
  })

  test('pay a batch, its change and its fee', () => {
    const paid = spending({
      feeIsSpent: true,
      feeUnits: 3n,
      feeAsset: 'BTC',
      feeDecimals: 8,
      spent: [bitcoins('deposit', 50n), bitcoins('change', 60n)],
      sent: [
        { output: 0, ...bitcoins(null, 70n), explained: 70n },
        { output: 1, ...bitcoins('change' as const, 37n), explained: 0n },
      ],
    })
    const change = { id: 'p', output: 1, height: 7, ...bitcoins('change' as const, 37n) }
    const expected = [
      'FEE deposit to network: 3 BTC',
      'SWEPT deposit to change: 37 BTC',
      'SENT deposit to payouts: 10 BTC',
      'SENT change to payouts: 60 BTC',
    ]
    expect(inWords({ payments: [change], spending: paid })).toEqual(expected)
    expect(inWords({ payments: [], spending: paid })).toEqual(expected)
  })

  test('leave coins to a stranger beside a payout unexplained', () => {
    const mixed = spending({
      spent: [coins('payer', 9n)],
      sent: [
        { output: 0, ...coins(null, 7n), explained: 7n },
        { output: 1, ...coins(null, 2n), explained: 0n },
      ],
    })
    expect(inWords({ payments: [], spending: mixed })).toEqual([
      'SENT payer to payouts: 7 USDC',
      'UNEXPLAINED payer to unexplained: 2 USDC',
    ])
  })

  test('recognise a move between our own by both ends', () => {
    const swept = spending({
      feeUnits: 21n,
      spent: [coins('deposit', 9n)],
      sent: [{ output: 0, ...coins('cold' as const, 9n), explained: 0n }],
    })
    expect(inWords({ payments: [], spending: swept })).toEqual([
      'SWEPT deposit to cold: 9 USDC',
      'GAS deposit to network: 21 ETH',
    ])
  })

  test('take gas from the payer of a Safe', () => {
    const executed = spending({
      feeUnits: 21n,
      spent: [coins('safe', 9n)],
      sent: [{ output: 0, ...coins(null, 9n), explained: 9n }],
    })
    expect(inWords({ payments: [], spending: executed })).toContain('GAS payer to network: 21 ETH')
    const failed = spending({ feeUnits: 4n })
    expect(inWords({ payments: [], spending: failed })).toEqual(['GAS payer to network: 4 ETH'])
  })

  test('name what others paid beside our own coins', () => {
    const joined = spending({ spent: [coins('cold', 1n)] })
    const payment = { id: 'p', output: 1, height: 7 }
    const payments = [
      { ...payment, ...coins('deposit' as const, 4n) },
      { ...payment, output: 2, ...coins('payer' as const, 3n) },
    ]
    expect(inWords({ payments, spending: joined })).toEqual([
      'SWEPT cold to deposit: 1 USDC',
      'RECEIVED investors to deposit: 3 USDC',
      'RECEIVED funding to payer: 3 USDC',
    ])
  })

  test('call a swap converted, and a theft unexplained', () => {
    const away = {
      spent: [coins('cold' as const, 9n)],
      sent: [{ output: 0, ...coins(null, 9n), explained: 0n }],
    }
    const got = { id: 'p', output: 2, height: 7, ...coins('cold' as const, 4n, 'ETH') }
    expect(inWords({ payments: [got], spending: spending(away) })).toEqual([
      'CONVERTED cold to converted: 9 USDC',
      'CONVERTED converted to cold: 4 ETH',
    ])
    expect(inWords({ payments: [], spending: spending(away) })).toEqual([
      'UNEXPLAINED cold to unexplained: 9 USDC',
    ])
    expect(inWords({ payments: [], spending: spending({ ...away, isSettled: true }) })).toEqual([
      'UNEXPLAINED cold to unexplained: 9 USDC',
      'SETTLED unexplained to settled: 9 USDC',
    ])
  })
})

const own = fc.constantFrom(...ownAccounts)
const units = fc.bigInt({ min: 1n, max: 10n ** 24n })
const asset = fc.constantFrom('BTC', 'USDC', 'ETH')
const some = fc.array(fc.record({ account: own, asset, units }), { maxLength: 6 })
const facts = fc.record({
  spent: some,
  paid: some,
  // Outputs that no payment shows, of ours and of others.
  sent: fc.array(fc.record({ account: fc.option(own), asset, units }), {
    maxLength: 6,
  }),
  feeUnits: fc.bigInt({ min: 0n, max: 10n ** 20n }),
  feeIsSpent: fc.boolean(),
  isSettled: fc.boolean(),
})

const balances = (movements: readonly CoinMovement[]) => {
  const sums = new Map<string, bigint>()
  const add = (account: CoinAccount, name: string, amount: bigint) =>
    sums.set(`${name} ${account}`, (sums.get(`${name} ${account}`) ?? 0n) + amount)
  for (const { from, to, asset: name, units: amount } of movements) {
    add(from, name, -amount)
    add(to, name, amount)
  }
  return sums
}

test('our accounts change by coins in less coins out', () => {
  fc.assert(
    fc.property(facts, (made) => {
      const feeAsset = made.feeIsSpent ? 'BTC' : 'ETH'
      const spentOf = (name: string) =>
        made.spent.reduce((sum, each) => (each.asset === name ? sum + each.units : sum), 0n)
      // A fee that is spent is a part of what was spent.
      fc.pre(!made.feeIsSpent || made.feeUnits <= spentOf('BTC'))
      const payments = made.paid.map((each, output) => ({
        ...each,
        id: `p${output}`,
        output,
        height: 7,
        decimals: 6,
      }))
      const movements = movementsOf({
        payments,
        spending: spending({
          ...made,
          feeAsset,
          spent: made.spent.map((each) => ({ ...each, decimals: 6 })),
          sent: made.sent.map((each, place) => ({
            ...each,
            output: 100 + place,
            decimals: 6,
            explained: (each.units * BigInt(place)) / 5n,
          })),
        }),
      })
      const sums = balances(movements)
      for (const each of movements) {
        expect(each.units > 0n).toBe(true)
        expect(each.from).not.toBe(each.to)
      }
      for (const name of ['BTC', 'USDC', 'ETH']) {
        const ofAsset = [...sums].filter(([key]) => key.startsWith(`${name} `))
        expect(ofAsset.reduce((sum, [, amount]) => sum + amount, 0n)).toBe(0n)
        const ours = ownAccounts.reduce(
          (sum, account) => sum + (sums.get(`${name} ${account}`) ?? 0n),
          0n,
        )
        const came = [...made.paid, ...made.sent.filter(({ account }) => account !== null)]
          .filter((each) => each.asset === name)
          .reduce((sum, each) => sum + each.units, 0n)
        const gas = name === 'ETH' && !made.feeIsSpent ? made.feeUnits : 0n
        expect(ours).toBe(came - spentOf(name) - gas)
      }
    }),
    { numRuns: 500 },
  )
})

test('no class pays for coins of another', () => {
  fc.assert(
    fc.property(some, some, (spent, paid) => {
      const payments = paid.map((each, output) => ({
        ...each,
        id: `p${output}`,
        output,
        height: 7,
        decimals: 6,
      }))
      const sums = balances(
        movementsOf({
          payments,
          spending: spending({ spent: spent.map((each) => ({ ...each, decimals: 6 })) }),
        }),
      )
      for (const account of ownAccounts)
        for (const name of ['BTC', 'USDC', 'ETH']) {
          const of = (all: typeof spent) =>
            all
              .filter((each) => each.asset === name && each.account === account)
              .reduce((sum, each) => sum + each.units, 0n)
          expect(sums.get(`${name} ${account}`) ?? 0n).toBe(of(paid) - of(spent))
        }
    }),
  )
})
