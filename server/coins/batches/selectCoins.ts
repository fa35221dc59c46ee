/**
 * Coin selection for Bitcoin, over units alone: which unspent outputs a transaction spends, its fee
 * and its change (docs/decisions/053). All inputs and the change are P2WPKH.
 */

/** Satoshis below which nodes relay no output of any kind. */
export const DUST = 546n
/** The most weight of a transaction that nodes relay. */
const MOST_WEIGHT = 400_000

/** Bytes of the script of P2WPKH. */
const CHANGE_SCRIPT = 22
/** An input without its witness, and a witness with the longest low-S signature. */
const [INPUT_BYTES, WITNESS_BYTES] = [41, 108]
/** Inputs that would weigh more than a transaction may. */
const MOST_INPUTS = Math.ceil(MOST_WEIGHT / (4 * INPUT_BYTES + WITNESS_BYTES))
/** Virtual bytes of an input. */
export const INPUT_VSIZE = 68n

export type Unspent = {
  /** The output as TRANSACTION:NUMBER. */
  readonly input: string
  /** Satoshis. */
  readonly units: bigint
}

export type Output = {
  /** Satoshis. */
  readonly units: bigint
  readonly scriptBytes: number
}

export type CoinsRequest<Coin extends Unspent> = {
  readonly coins: readonly Coin[]
  /** At least one. */
  readonly outputs: readonly Output[]
  /** Thousandths of a satoshi for a virtual byte, from 1,000. */
  readonly feeRate: bigint
  /** Satoshis. */
  readonly mostFee: bigint
  /** Inputs of earlier transactions: one of each is spent, so that those can never be mined. */
  readonly conflicts?: readonly ReadonlySet<string>[]
}

export type Selected<Coin extends Unspent> = {
  readonly coins: readonly Coin[]
  /** Satoshis. */
  readonly fee: bigint
  /** Satoshis of an output after the others. 0 for none. */
  readonly change: bigint
  readonly vsize: bigint
}

/**
 * Why nothing was selected. `units`: satoshis of the least output, satoshis that are missing, the
 * fee that would be needed, or the weight.
 */
export type Unselected = {
  readonly problem: 'dust' | 'insufficient' | 'feeAboveBound' | 'tooLarge' | 'conflictGone'
  readonly units: bigint
}

const countBytes = (count: number): number => (count < 253 ? 1 : 3)

/** The most weight of the signed transaction. Real signatures may be a byte shorter each. */
export const weightOf = (inputs: number, scripts: readonly number[]): number => {
  const outputs = scripts.reduce((sum, bytes) => sum + 8 + 1 + bytes, 0)
  const base = 8 + countBytes(inputs) + countBytes(scripts.length) + INPUT_BYTES * inputs + outputs
  return 4 * base + 2 + WITNESS_BYTES * inputs
}

const vsizeOf = (inputs: number, scripts: readonly number[]): bigint =>
  BigInt(Math.ceil(weightOf(inputs, scripts) / 4))

/** Thousandths in a satoshi. */
const THOUSANDTHS = 1_000n

/** Whole satoshis for virtual bytes at a rate in thousandths, rounded up: never below the rate. */
export const feeAt = (rate: bigint, vsize: bigint): bigint =>
  (rate * vsize + THOUSANDTHS - 1n) / THOUSANDTHS

const sumOf = (coins: readonly Unspent[]): bigint =>
  coins.reduce((sum, { units }) => sum + units, 0n)

/** The largest first. Equal ones by name, so that a repeat selects the same. */
const byUnits = (a: Unspent, b: Unspent): number => {
  if (a.units !== b.units) return a.units > b.units ? -1 : 1
  return a.input < b.input ? -1 : 1
}

/** The coins that are worth more than the fee of spending them. */
export const worthSpending = <Coin extends Unspent>(
  coins: readonly Coin[],
  feeRate: bigint,
): Coin[] => coins.filter(({ units }) => units * THOUSANDTHS > feeRate * INPUT_VSIZE).sort(byUnits)

/**
 * Selects the fewest coins that pay the outputs and the fee, which is less than {@link DUST} and
 * the fee of a change output above what the rate demands. Makes no change of dust.
 */
export const selectCoins = <Coin extends Unspent>({
  coins,
  outputs,
  feeRate,
  mostFee,
  conflicts = [],
}: CoinsRequest<Coin>): Selected<Coin> | Unselected => {
  const least = outputs.reduce((low, { units }) => (units < low ? units : low), DUST)
  if (least < DUST) return { problem: 'dust', units: least }
  const paid = outputs.reduce((sum, { units }) => sum + units, 0n)
  const scripts = outputs.map(({ scriptBytes }) => scriptBytes)
  const sorted = worthSpending(coins, feeRate)

  const bound = conflicting(coins, conflicts)
  if (!bound) return { problem: 'conflictGone', units: 0n }
  const taken = new Set(bound.map(({ input }) => input))
  const picked = [...bound]
  let total = sumOf(picked)
  const needed = () => paid + feeAt(feeRate, vsizeOf(picked.length, scripts))
  for (const coin of sorted) {
    if (picked.length > 0 && total >= needed()) break
    if (taken.has(coin.input)) continue
    // Coins beyond this weigh too much anyway, and each of them is compared with all others.
    if (picked.length >= MOST_INPUTS)
      return { problem: 'tooLarge', units: BigInt(weightOf(picked.length, scripts)) }
    taken.add(coin.input)
    picked.push(coin)
    total += coin.units
  }
  if (picked.length === 0 || total < needed())
    return { problem: 'insufficient', units: needed() - total }

  const [plain, withChange] = [scripts, [...scripts, CHANGE_SCRIPT]].map((each) => ({
    vsize: vsizeOf(picked.length, each),
    weight: weightOf(picked.length, each),
  })) as [Size, Size]
  const excess = total - paid - feeAt(feeRate, plain.vsize)
  const costOfChange = feeAt(feeRate, withChange.vsize) - feeAt(feeRate, plain.vsize)
  const change = excess - costOfChange
  const exact =
    change < DUST
      ? { coins: picked, excess }
      : withoutChange({ picked, kept: bound.length, sorted, taken }, excess, costOfChange)
  const selected = exact
    ? { coins: exact.coins, fee: feeAt(feeRate, plain.vsize) + exact.excess, change: 0n, ...plain }
    : { coins: picked, fee: feeAt(feeRate, withChange.vsize), change, ...withChange }
  if (selected.weight > MOST_WEIGHT) return { problem: 'tooLarge', units: BigInt(selected.weight) }
  if (selected.fee > mostFee) return { problem: 'feeAboveBound', units: selected.fee }
  const { weight: _, ...rest } = selected
  return rest
}

type Size = { readonly vsize: bigint; readonly weight: number }

/** The largest coin of each conflict, each once. Undefined where none is left. */
const conflicting = <Coin extends Unspent>(
  coins: readonly Coin[],
  conflicts: readonly ReadonlySet<string>[],
): Coin[] | undefined => {
  const picked = new Map<string, Coin>()
  const byInput = new Map(coins.map((coin) => [coin.input, coin]))
  for (const inputs of conflicts) {
    if ([...inputs].some((input) => picked.has(input))) continue
    const [largest] = [...inputs].flatMap((input) => byInput.get(input) ?? []).sort(byUnits)
    if (!largest) return undefined
    picked.set(largest.input, largest)
  }
  return [...picked.values()]
}

type Picked<Coin> = {
  readonly picked: readonly Coin[]
  /** The first ones that must stay. */
  readonly kept: number
  /** All that could be spent, the largest first. */
  readonly sorted: readonly Coin[]
  readonly taken: ReadonlySet<string>
}

/**
 * As many coins whose sum leaves at most `most` for the fee, by exchanging one. So a transaction
 * without change never costs more than one with it.
 */
const withoutChange = <Coin extends Unspent>(
  { picked, kept, sorted, taken }: Picked<Coin>,
  excess: bigint,
  most: bigint,
): { readonly coins: readonly Coin[]; readonly excess: bigint } | undefined => {
  if (excess <= most) return { coins: picked, excess }
  for (const [at, coin] of picked.entries()) {
    if (at < kept) continue
    // The smallest that still suffices.
    const least = coin.units - excess
    for (let place = lastFrom(sorted, least); place >= 0; place -= 1) {
      const other = sorted[place]
      if (!other || other.units > least + most) break
      if (!taken.has(other.input))
        return { coins: picked.with(at, other), excess: other.units - least }
    }
  }
  return undefined
}

/** The place of the last coin of at least so many units, or -1. */
const lastFrom = (sorted: readonly Unspent[], units: bigint): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const found = sorted[middle]
    if (found && found.units >= units) low = middle + 1
    else high = middle
  }
  return low - 1
}

/**
 * Spends coins to one output of their sum without the fee: the largest ones that are worth their
 * own fee, at most `most`.
 */
export const collectCoins = <Coin extends Unspent>({
  coins,
  feeRate,
  scriptBytes,
  most,
}: {
  readonly coins: readonly Coin[]
  readonly feeRate: bigint
  readonly scriptBytes: number
  readonly most: number
}): (Selected<Coin> & { readonly sent: bigint }) | Unselected => {
  const picked = worthSpending(coins, feeRate).slice(0, most)
  const vsize = vsizeOf(picked.length, [scriptBytes])
  const fee = feeAt(feeRate, vsize)
  const sent = sumOf(picked) - fee
  if (sent < DUST) return { problem: 'insufficient', units: DUST - sent }
  return { coins: picked, fee, change: 0n, vsize, sent }
}
