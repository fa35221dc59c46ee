/** Proves by trials that the payments of an EVM network can be made, and at which cost. */
import { randomBytes } from 'node:crypto'
import { mostFeeOf } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import type { CountingRate } from '@pool/contract/chain/rates'
import { BATCH_SIZES } from '@pool/contract/coins/batches'
import type { BatchProblem } from '@pool/contract/coins/batchRefusals'
import { ethereum } from '../../base/chains/ethereum.ts'
import type { EvmSettings } from '../../base/configuration/chainsFile.ts'
import { asRefusal, readGasPrice, readMostGas } from './payingNode.ts'
import { centsOf, type Gas, type LeftOut, nothingToPay, type PlannedPayout } from './plan.ts'
import { type Call, safeTransactionOf, transferData } from './safe.ts'
import { partsOf, type Tried, tryAlone, tryCalls, wholeTrial } from './trial.ts'

/** A coin on the network. `contract` is null for its own. */
export type EvmCoin = {
  readonly coin: string
  readonly decimals: number
  readonly contract: string | null
}

type Paying = {
  readonly settings: EvmSettings
  readonly asset: EvmCoin
  readonly payer: string
  /** The contract that makes several calls of a Safe. Undefined for a plain key. */
  readonly multiSend: string | undefined
  /** The rate of the network's own coin, if one counts. */
  readonly feeRate: CountingRate | null
}

type Proven = {
  readonly payouts: readonly PlannedPayout[]
  readonly leftOut: readonly LeftOut[]
  readonly gas: Gas
}

/** A payment may take so many times the gas of a plain one to an address that has no coins yet. */
const PLAIN_TIMES = 2n
/** Gas of a transaction, and of a Safe's signatures, of up to ten owners. */
const [TRANSACTION_GAS, SAFE_GAS] = [21_000n, 120_000n]
/** Gas of a byte of data, and bytes and gas of a call in a Safe's transaction beside its own. */
const [BYTE_GAS, CALL_BYTES, CALL_GAS] = [16n, 85n, 1_500n]
/** The whole may take a quarter more gas than its parts. One that takes more tells trials apart. */
const WHOLE_TIMES = [5n, 4n] as const

const impossible = (problem: BatchProblem) => refusal('batchImpossible', { problem })

export const callOf = (
  { address, units }: Pick<PlannedPayout, 'address' | 'units'>,
  { contract }: EvmCoin,
): Call =>
  contract === null
    ? { to: address, value: units, data: '' }
    : { to: contract, value: 0n, data: transferData(address, units) }

/** The gas of a payment of one unit to a new address. */
const readPlain = async ({ settings, asset, payer }: Paying, most: bigint): Promise<bigint> => {
  const address = `0x${randomBytes(20).toString('hex')}`
  const calls = [callOf({ address, units: 1n }, asset)]
  const [plain] = await asRefusal(() =>
    tryCalls(settings, { from: payer, calls, limit: most, most }),
  )
  if (!plain?.isTaken) throw impossible('payerRefused')
  return plain.gas
}

const bytesOf = ({ data }: Call): bigint => BigInt(data.length / 2)

/** The gas that a payment adds to the file, or that its own transaction takes. */
const gasOf = ({ multiSend, asset }: Paying, plain: bigint, { call, gas }: Costed): bigint => {
  if (multiSend !== undefined) return gas + (bytesOf(call) + CALL_BYTES) * BYTE_GAS + CALL_GAS
  // A transaction's own gas has that of a plain payment in it.
  const inside = asset.contract === null ? gas - plain : gas
  return TRANSACTION_GAS + bytesOf(call) * BYTE_GAS + (inside > 0n ? inside : 0n)
}

type Costed = { readonly payout: PlannedPayout; readonly call: Call; readonly gas: bigint }
type Why = LeftOut['why']

/**
 * Leaves out payments that are not taken now, that take too much gas or too dear a fee, and those
 * beyond the bounds of one file. Throws `batchImpossible`.
 */
export const provePayouts = async (
  paying: Paying,
  wanted: readonly PlannedPayout[],
): Promise<Proven> => {
  const { settings, asset, payer, multiSend, feeRate } = paying
  const most = await asRefusal(() => readMostGas(settings))
  const price = await asRefusal(() => readGasPrice(settings))
  const plain = await readPlain(paying, most)
  const limit = plain * PLAIN_TIMES
  const leftOut: LeftOut[] = []
  const leave = ({ withdrawalId, loanId }: PlannedPayout, why: Why) =>
    leftOut.push({ withdrawalId, loanId, why })
  const calls = wanted.map((payout) => callOf(payout, asset))
  const alone = await asRefusal(() => tryAlone(settings, { from: payer, calls, most }))
  const good = wanted.flatMap((payout, at): Costed[] => {
    const [call, found] = [calls[at], alone[at]]
    if (!call || !found) throw impossible('noTrial')
    const costed = { payout, call, gas: found.gas }
    const used = gasOf(paying, plain, costed)
    const why = leftOutReason(found, {
      limit,
      payout,
      fee: feeRate && feeOf({ used, price }, feeRate),
    })
    if (why) leave(payout, why)
    return why ? [] : [costed]
  })
  const { kept, later } = fill(paying, good, { plain, most })
  for (const { payout } of later) leave(payout, 'full')
  const proven = multiSend === undefined ? kept : await takenInTurn(paying, kept, { limit, most })
  for (const { payout } of kept.filter((each) => !proven.includes(each))) leave(payout, 'refused')
  if (proven.length === 0) throw nothingToPay(leftOut)
  const used = await wholeGas(paying, proven, { plain, most })
  return { payouts: proven.map(({ payout }) => payout), leftOut, gas: { used, price } }
}

type Bounds = { readonly plain: bigint; readonly most: bigint }

const sumOf = (paying: Paying, plain: bigint, all: readonly Costed[]): bigint =>
  all.reduce(
    (sum, each) => sum + gasOf(paying, plain, each),
    paying.multiSend === undefined ? 0n : TRANSACTION_GAS + SAFE_GAS,
  )

/** The first payments that one file holds, and the later ones. */
const fill = (paying: Paying, good: readonly Costed[], { plain, most }: Bounds) => {
  const isSafe = paying.multiSend !== undefined
  const size = BATCH_SIZES[isSafe ? 'SAFE' : 'CSV']
  const kept: Costed[] = []
  for (const each of good) {
    const isLarge = isSafe && sumOf(paying, plain, [...kept, each]) > most
    if (kept.length < size && !isLarge) kept.push(each)
  }
  return { kept, later: good.filter((each) => !kept.includes(each)) }
}

/** The payments that are taken one after the other, as a Safe makes them. */
const takenInTurn = async (
  { settings, payer }: Paying,
  kept: readonly Costed[],
  { limit, most }: { readonly limit: bigint; readonly most: bigint },
): Promise<readonly Costed[]> => {
  const isTaken: boolean[] = []
  for (const calls of partsOf(kept, { limit, most })) {
    const trial = { from: payer, calls: calls.map(({ call }) => call), limit, most }
    const tried = await asRefusal(() => tryCalls(settings, trial))
    isTaken.push(...tried.map((each) => each.isTaken))
  }
  return kept.filter((_, at) => isTaken[at])
}

/** The gas of the file. A Safe makes all payments or none, so they are tried as one, too. */
const wholeGas = async (
  paying: Paying,
  proven: readonly Costed[],
  { plain, most }: Bounds,
): Promise<bigint> => {
  const { settings, payer: safe, multiSend } = paying
  const sum = sumOf(paying, plain, proven)
  if (multiSend === undefined || proven.length === 1) return sum
  const all = proven.map(({ call }) => call)
  const call = safeTransactionOf(all, multiSend)
  const whole = await asRefusal(() => wholeTrial(settings, { safe, multiSend, call, most }))
  const [times, of] = WHOLE_TIMES
  const used = TRANSACTION_GAS + SAFE_GAS + bytesOf(call) * BYTE_GAS + (whole?.gas ?? 0n)
  if (!whole?.isTaken || used * of > sum * times || used > most) throw impossible('refusedTogether')
  return used
}

/** The dollars of gas, rounded up. */
export const feeOf = ({ used, price }: Gas, rate: CountingRate) =>
  centsOf(used * price, rate, ethereum.decimals)

type Judged = {
  readonly limit: bigint
  readonly fee: bigint | null
  readonly payout: PlannedPayout
}

const leftOutReason = (
  { isTaken, gas }: Tried,
  { limit, fee, payout: { amount, share } }: Judged,
): Why | undefined => {
  if (gas > limit) return 'costly'
  if (!isTaken) return 'refused'
  const isDear = fee !== null && amount !== null && fee > mostFeeOf(amount, share)
  return isDear ? 'feeAboveBound' : undefined
}
