import { randomBytes } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  collectCoins,
  DUST,
  feeAt,
  INPUT_VSIZE,
  type Selected,
  selectCoins,
  type Unspent,
  weightOf,
} from './selectCoins.ts'

const units = (most: bigint) => fc.bigInt({ min: 1n, max: most })
/** Coins of every size, from dust to 100 bitcoins. */
const anyUnits = fc.oneof(
  units(2_000n),
  units(200_000n),
  units(50_000_000n),
  units(10_000_000_000n),
)
const coinsOf = (all: readonly bigint[]): Unspent[] =>
  all.map((each, at) => ({ input: `${String(at).padStart(64, '0')}:${at % 3}`, units: each }))
/** Scripts of P2PKH, P2SH, P2WPKH, and of P2WSH and taproot. */
const scriptBytes = fc.constantFrom(25, 23, 22, 34)
const output = fc.record({ units: fc.bigInt({ min: DUST, max: 300_000_000n }), scriptBytes })
const feeRate = fc.bigInt({ min: 1_000n, max: 1_000_000n })
const MOST = 10n ** 18n

const sum = (all: readonly { readonly units: bigint }[]) =>
  all.reduce((total, each) => total + each.units, 0n)
const isSelected = (found: ReturnType<typeof selectCoins>): found is Selected<Unspent> =>
  !('problem' in found)

const wanted = (most: number) =>
  fc.record({
    coins: fc.array(anyUnits, { minLength: 0, maxLength: most, size: 'max' }).map(coinsOf),
    outputs: fc.array(output, { minLength: 1, maxLength: 200, size: 'max' }),
    feeRate,
  })

describe('selected coins', () => {
  const hold = ({
    coins,
    outputs,
    feeRate: rate,
  }: Omit<Parameters<typeof selectCoins>[0], 'mostFee'>) => {
    const found = selectCoins({ coins, outputs, feeRate: rate, mostFee: MOST })
    if (!isSelected(found)) {
      expect(['insufficient', 'tooLarge']).toContain(found.problem)
      if (found.problem === 'tooLarge') return
      // All coins that are worth their own fee do not suffice.
      const worth = coins.filter((coin) => coin.units * 1_000n > rate * INPUT_VSIZE)
      const scripts = outputs.map((each) => each.scriptBytes)
      const size = BigInt(Math.ceil(weightOf(worth.length, scripts) / 4))
      expect(sum(worth)).toBeLessThan(sum(outputs) + feeAt(rate, size))
      expect(found.units).toBeGreaterThan(0n)
      return
    }
    // No satoshi is lost or made.
    expect(sum(found.coins)).toBe(sum(outputs) + found.change + found.fee)
    expect(found.change === 0n || found.change >= DUST).toBe(true)
    const scripts = [...outputs.map((each) => each.scriptBytes), ...(found.change > 0n ? [22] : [])]
    const vsize = BigInt(Math.ceil(weightOf(found.coins.length, scripts) / 4))
    expect(found.vsize).toBe(vsize)
    // Never below the rate, and with change less than a satoshi above it.
    const above = found.fee * 1_000n - rate * vsize
    expect(above).toBeGreaterThanOrEqual(0n)
    expect(above).toBeLessThan(found.change > 0n ? 1_000n : (DUST + 1n) * 1_000n + rate * 33n)
    expect(new Set(found.coins.map(({ input }) => input)).size).toBe(found.coins.length)
    expect(found.coins.every((coin) => coins.includes(coin))).toBe(true)
    // With the same coins, a lower bound is refused and never exceeded.
    expect(selectCoins({ coins, outputs, feeRate: rate, mostFee: found.fee })).toEqual(found)
    expect(selectCoins({ coins, outputs, feeRate: rate, mostFee: found.fee - 1n })).toEqual({
      problem: 'feeAboveBound',
      units: found.fee,
    })
  }

  test('pay exactly whatever the fee rate', () => {
    fc.assert(fc.property(wanted(300), hold), { numRuns: 1_500 })
  })
  test('pay exactly out of 10,000 unspent outputs', () => {
    fc.assert(fc.property(wanted(10_000), hold), { numRuns: 25 })
  })
  test('leave no dust where little is left', () => {
    // Just enough, up to what change costs and is worth.
    const near = fc.record({
      outputs: fc.array(output, { minLength: 1, maxLength: 5 }),
      feeRate,
      left: fc.bigInt({ min: -5n, max: 40_000n }),
      others: fc.array(anyUnits, { maxLength: 20 }),
    })
    fc.assert(
      fc.property(near, ({ outputs, feeRate: rate, left, others }) => {
        const scripts = outputs.map((each) => each.scriptBytes)
        const size = BigInt(Math.ceil(weightOf(1, scripts) / 4))
        hold({
          coins: coinsOf([sum(outputs) + feeAt(rate, size) + left, ...others]),
          outputs,
          feeRate: rate,
        })
      }),
      { numRuns: 3_000 },
    )
  })
  test('are as few as can be', () => {
    fc.assert(
      fc.property(wanted(60), (asked) => {
        const found = selectCoins({ ...asked, mostFee: MOST })
        if (!isSelected(found) || found.coins.length < 2) return
        const largest = asked.coins.toSorted((a, b) => (a.units > b.units ? -1 : 1))
        const fewer = largest.slice(0, found.coins.length - 1)
        const scripts = asked.outputs.map((each) => each.scriptBytes)
        const size = BigInt(Math.ceil(weightOf(fewer.length, scripts) / 4))
        expect(sum(fewer)).toBeLessThan(sum(asked.outputs) + feeAt(asked.feeRate, size))
      }),
      { numRuns: 1_000 },
    )
  })
  test('hold one of each earlier transaction that must die', () => {
    fc.assert(
      fc.property(
        wanted(60),
        fc.array(fc.array(fc.nat(59), { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
        (asked, chosen) => {
          const conflicts = chosen.map(
            (places) => new Set(places.flatMap((place) => asked.coins[place]?.input ?? 'gone:0')),
          )
          const found = selectCoins({ ...asked, mostFee: MOST, conflicts })
          const isGone = conflicts.some(
            (inputs) => !asked.coins.some(({ input }) => inputs.has(input)),
          )
          if (isGone) expect(found).toEqual({ problem: 'conflictGone', units: 0n })
          if (!isSelected(found)) return
          for (const inputs of conflicts)
            expect(found.coins.some(({ input }) => inputs.has(input))).toBe(true)
          expect(new Set(found.coins.map(({ input }) => input)).size).toBe(found.coins.length)
          expect(sum(found.coins)).toBe(sum(asked.outputs) + found.change + found.fee)
          expect(found.fee * 1_000n).toBeGreaterThanOrEqual(asked.feeRate * found.vsize)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

test('a fee is rounded up to the satoshi', () => {
  expect([feeAt(2_300n, 141n), feeAt(2_300n, 140n), feeAt(1_000n, 1n)]).toEqual([325n, 322n, 1n])
})

test('an output of dust is refused', () => {
  const coins = coinsOf([1_000_000n])
  const outputs = [
    { units: 10_000n, scriptBytes: 22 },
    { units: 545n, scriptBytes: 22 },
  ]
  expect(selectCoins({ coins, outputs, feeRate: 1_000n, mostFee: MOST })).toEqual({
    problem: 'dust',
    units: 545n,
  })
})

test('one exchanged coin can make change needless', () => {
  const outputs = [{ units: 100_000n, scriptBytes: 22 }]
  const scripts = [22]
  const size = BigInt(Math.ceil(weightOf(1, scripts) / 4))
  const coins = coinsOf([5_000_000n, 100_000n + 25n * size + 60n, 100n])
  expect(selectCoins({ coins, outputs, feeRate: 25_000n, mostFee: MOST })).toMatchObject({
    coins: [coins[1]],
    change: 0n,
    fee: 25n * size + 60n,
  })
})

test('a transaction that nodes do not relay is refused', () => {
  const coins = coinsOf(Array.from({ length: 2_000 }, () => 10_000n))
  const outputs = [{ units: 15_000_000n, scriptBytes: 22 }]
  expect(selectCoins({ coins, outputs, feeRate: 1_000n, mostFee: MOST })).toMatchObject({
    problem: 'tooLarge',
  })
})

test('collected coins arrive whole but for their fee', () => {
  fc.assert(
    fc.property(
      fc.array(anyUnits, { maxLength: 300, size: 'max' }),
      feeRate,
      scriptBytes,
      (all, rate, script) => {
        const coins = coinsOf(all)
        const found = collectCoins({ coins, feeRate: rate, scriptBytes: script, most: 100 })
        if ('problem' in found) return
        expect(sum(found.coins)).toBe(found.sent + found.fee)
        expect(found.sent).toBeGreaterThanOrEqual(DUST)
        expect(found.coins.length).toBeLessThanOrEqual(100)
        expect(found.fee).toBe(feeAt(rate, found.vsize))
        for (const coin of found.coins)
          expect(coin.units * 1_000n).toBeGreaterThan(rate * INPUT_VSIZE)
      },
    ),
  )
})

/** Signs a transaction of so many inputs and outputs with new keys. */
const signedVsize = (inputs: number, outputs: number): number => {
  const transaction = new Transaction()
  const secret = new Uint8Array(randomBytes(32))
  const { script } = p2wpkh(secp256k1.getPublicKey(secret, true))
  for (let at = 0; at < inputs; at += 1)
    transaction.addInput({
      txid: new Uint8Array(randomBytes(32)),
      index: at,
      witnessUtxo: { script, amount: 1_000_000n },
    })
  for (let at = 0; at < outputs; at += 1) transaction.addOutput({ script, amount: 1_000n })
  transaction.sign(secret)
  transaction.finalize()
  return transaction.vsize
}

test.each([
  [1, 1],
  [2, 201],
  [40, 30],
  [254, 254],
])('%i signed inputs and %i outputs weigh no more', (inputs, outputs) => {
  const scripts = Array.from({ length: outputs }, () => 22)
  const most = Math.ceil(weightOf(inputs, scripts) / 4)
  const real = signedVsize(inputs, outputs)
  expect(real).toBeLessThanOrEqual(most)
  // A signature is a byte or two shorter now and then, which is a quarter of a virtual byte.
  expect(most - real).toBeLessThanOrEqual(1 + inputs / 2)
})
