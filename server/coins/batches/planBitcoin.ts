/** Plans of Bitcoin: the coins that are spent, and the file for a signer. */

import { cents, mostFeeOf } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { textOfUnits } from '@pool/contract/chain/quotes'
import type { BatchLeftOut } from '@pool/contract/coins/batches'
import type { BatchProblem } from '@pool/contract/coins/batchRefusals'
import { type Kysely, sql } from 'kysely'
import { bitcoin } from '../../base/chains/bitcoin.ts'
import type { Mode } from '../../base/chains/chain.ts'
import type { Schema } from '../../base/db/schema.ts'
import { type EarlierBatch, readEarlier } from './earlierBatches.ts'
import { makePsbt } from './makePsbt.ts'
import { areUnspent, asRefusal, estimateFeeRate, type PayingNode } from './payingNode.ts'
import {
  type Change,
  type LeftOut,
  nothingToPay,
  orderOf,
  type Plan,
  type PlannedPayout,
} from './plan.ts'
import { type PaidOutput, placeOf, scriptOf } from './psbt.ts'
import {
  collectCoins,
  DUST,
  feeAt,
  type Selected,
  selectCoins,
  type Unselected,
  worthSpending,
} from './selectCoins.ts'
import { type OwnCoin, type OwnKey, readUnspent, spendableOf } from './unspent.ts'

/** Coins of one collection. Fewer where their whole transactions would make too large a file. */
const MOST_COLLECTED = 300
/** Rounds of a selection while the node shows selected coins as spent. */
const ROUNDS = 10
/** Satoshis of a fee that need no further word. */
const SMALL_FEE = 50_000n
/** A fee may be this part of what is paid. */
const FEE_PART = 50n

const { decimals: DECIMALS } = bitcoin

type BitcoinPlanRequest = {
  readonly mode: Mode
  readonly paying: PayingNode
  /** Thousandths of a satoshi for a virtual byte. */
  readonly feeRate: bigint | undefined
  /** Satoshis. */
  readonly mostFee: bigint | undefined
}

type Part = Pick<
  Plan,
  | 'format'
  | 'feeRate'
  | 'feeUnits'
  | 'change'
  | 'inputs'
  | 'signer'
  | 'payouts'
  | 'leftOut'
  | 'unusable'
  | 'file'
>

const impossible = (problem: BatchProblem, amount?: string) =>
  refusal('batchImpossible', { problem, ...(amount !== undefined && { amount }) })

const requireFeeRate = async ({ paying, feeRate }: BitcoinPlanRequest): Promise<bigint> => {
  const rate = feeRate ?? (await asRefusal(() => estimateFeeRate(paying.settings)))
  if (rate === undefined) throw impossible('noFeeRate')
  return rate
}

/** Plans the payment of withdrawals and loans. Throws `batchImpossible`. */
export const planPayout = async (
  db: Kysely<Schema>,
  asked: BitcoinPlanRequest,
  wanted: readonly PlannedPayout[],
): Promise<Part> => {
  const rate = await requireFeeRate(asked)
  const unspent = await readUnspent(db)
  const earlier = await readEarlier(db, wanted.map(orderOf))
  const spendable = await spendableOf(db, asked.mode, {
    coins: unspent,
    wanted: new Set(earlier.flatMap(({ inputs }) => inputs)),
  })
  const { key, coins } = spendable
  if (!key) throw impossible('noKey')
  let live: readonly OwnCoin[] = coins
  let spent = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const { payouts, leftOut, conflicts } = sortOut(wanted, { earlier, coins: live, rate })
    if (payouts.length === 0) throw nothingToPay(leftOut)
    const paid = payouts.reduce((sum, { units }) => sum + units, 0n)
    const part = paid / FEE_PART
    const outputs = payouts.map(({ address, units }) => ({
      units,
      scriptBytes: scriptOf(address).length,
    }))
    const found = selectCoins({
      coins: live,
      outputs,
      feeRate: rate,
      mostFee: asked.mostFee ?? (part > SMALL_FEE ? part : SMALL_FEE),
      conflicts,
    })
    if ('problem' in found) throw refusalOf(found)
    const gone = await asRefusal(() => spentOf(asked, found))
    if (gone.size === 0) {
      const change = found.change > 0n ? await nextChange(db, key, found.change) : null
      const paidOutputs: PaidOutput[] = [
        ...payouts,
        ...(change
          ? [{ ...change, place: placeOf(key.account, { branch: 1, index: change.index }) }]
          : []),
      ]
      const small = live.length - worthSpending(live, rate).length
      const file = await fileOf(asked, key, found.coins, paidOutputs)
      if (typeof file !== 'string') throw impossible('fileTooLarge')
      return {
        format: 'PSBT',
        feeRate: rate,
        feeUnits: found.fee,
        change,
        payouts,
        leftOut,
        inputs: found.coins,
        signer: key.account.fingerprint,
        unusable: { imported: spendable.imported, otherKeys: spendable.otherKeys, small, spent },
        file,
      }
    }
    spent += gone.size
    live = live.filter(({ input }) => !gone.has(input))
  }
  throw impossible('coinsChanged')
}

const refusalOf = ({ problem, units }: Unselected) => {
  const amount = `${textOfUnits(units, DECIMALS)} BTC`
  if (problem === 'insufficient' || problem === 'feeAboveBound') return impossible(problem, amount)
  return impossible(problem === 'dust' ? 'smallAmount' : problem)
}

/** Bytes of an output beside its script. */
const OUTPUT_BYTES = 9

/** True where the output of a payout alone costs more than the pool and its investor bear. */
const isDear = ({ address, units, amount, share }: PlannedPayout, rate: bigint): boolean => {
  if (amount === null) return false
  const fee = feeAt(rate, BigInt(OUTPUT_BYTES + scriptOf(address).length))
  return fee * amount > mostFeeOf(amount, share) * units
}

const leftOutReason = (payout: PlannedPayout, rate: bigint): BatchLeftOut | undefined => {
  if (payout.units < DUST) return 'small'
  return isDear(payout, rate) ? 'feeAboveBound' : undefined
}

type Sorting = {
  readonly earlier: readonly EarlierBatch[]
  readonly coins: readonly OwnCoin[]
  readonly rate: bigint
}

/**
 * Leaves out payouts of dust or too dear a fee, and those of an earlier batch of which no coin can
 * be spent. Of the others, one coin of each earlier batch is to be spent.
 */
const sortOut = (wanted: readonly PlannedPayout[], { earlier, coins, rate }: Sorting) => {
  const available = new Set(coins.map(({ input }) => input))
  const blocked = new Set(
    earlier
      .filter(({ inputs, isSent }) => isSent || !inputs.some((input) => available.has(input)))
      .map(({ order }) => order),
  )
  const leftOut: LeftOut[] = []
  const payouts = wanted.filter((each) => {
    const { withdrawalId, loanId } = each
    const why =
      leftOutReason(each, rate) ?? (blocked.has(orderOf(each)) ? 'earlierBatch' : undefined)
    if (why) leftOut.push({ withdrawalId, loanId, why })
    return !why
  })
  const kept = new Set(payouts.map(orderOf))
  const batches = new Map(
    earlier
      .filter(({ order }) => kept.has(order))
      .map(({ batchId, inputs }) => [batchId, new Set(inputs)]),
  )
  return { payouts, leftOut, conflicts: [...batches.values()] }
}

/** The selected coins that the node shows as spent. */
const spentOf = async (
  { paying }: BitcoinPlanRequest,
  { coins }: Selected<OwnCoin>,
): Promise<ReadonlySet<string>> => {
  const inputs = coins.map(({ input }) => input)
  const unspent = await areUnspent(paying.settings, inputs)
  return new Set(inputs.filter((_, at) => unspent[at] !== true))
}

/** The next address of change. Numbers of batches that were given up are never used again. */
const nextChange = async (db: Kysely<Schema>, key: OwnKey, units: bigint): Promise<Change> => {
  const { rows } = await sql<{ next: number }>`
    SELECT coalesce(max(derivation_index) + 1, 0)::int AS next FROM own_addresses
    WHERE key_id = ANY (${[...key.ids]}::uuid[]) AND class = 'CHANGE'`.execute(db)
  const index = rows[0]?.next ?? 0
  return { units, address: key.account.changeAt(index), keyId: key.id, index }
}

/** Writes the file, in a thread. A number where only so many of the first coins fit into it. */
const fileOf = (
  { paying, mode }: BitcoinPlanRequest,
  { account }: OwnKey,
  coins: readonly OwnCoin[],
  outputs: readonly PaidOutput[],
) =>
  asRefusal(() =>
    makePsbt({
      settings: paying.settings,
      key: { text: account.text, mode },
      coins,
      outputs,
      lockTime: paying.height,
    }),
  )

/** Plans to bring the largest coins of a key together at an address. Throws `batchImpossible`. */
export const planCollection = async (
  db: Kysely<Schema>,
  asked: BitcoinPlanRequest,
  target: string,
): Promise<Part> => {
  const rate = await requireFeeRate(asked)
  const spendable = await spendableOf(db, asked.mode, {
    coins: await readUnspent(db),
    wanted: new Set(),
  })
  const { key, coins } = spendable
  if (!key) throw impossible('noKey')
  // The largest ones, of which a node may show some as spent.
  const candidates = worthSpending(coins, rate).slice(0, 2 * MOST_COLLECTED)
  const unspent = await asRefusal(() =>
    areUnspent(
      asked.paying.settings,
      candidates.map(({ input }) => input),
    ),
  )
  const live = candidates.filter((_, at) => unspent[at])
  const unusable = {
    imported: spendable.imported,
    otherKeys: spendable.otherKeys,
    small: coins.length - worthSpending(coins, rate).length,
    spent: candidates.length - live.length,
  }
  let most = MOST_COLLECTED
  for (;;) {
    const { found, payout } = collected(asked, live, { rate, target, most })
    const file = await fileOf(asked, key, found.coins, [payout])
    if (typeof file !== 'string') {
      most = file.fits
      continue
    }
    return {
      format: 'PSBT',
      feeRate: rate,
      feeUnits: found.fee,
      change: null,
      payouts: [payout],
      leftOut: [],
      inputs: found.coins,
      signer: key.account.fingerprint,
      unusable,
      file,
    }
  }
}

type Collecting = { readonly rate: bigint; readonly target: string; readonly most: number }

/** The coins of a collection, and their payment. Throws `batchImpossible`. */
const collected = (
  { mostFee }: BitcoinPlanRequest,
  coins: readonly OwnCoin[],
  { rate, target, most }: Collecting,
) => {
  if (most === 0) throw impossible('fileTooLarge')
  const found = collectCoins({
    coins,
    feeRate: rate,
    scriptBytes: scriptOf(target).length,
    most,
  })
  if ('problem' in found) throw impossible('smallAmount')
  const part = found.sent / FEE_PART
  if (found.fee > (mostFee ?? (part > SMALL_FEE ? part : SMALL_FEE)))
    throw impossible('feeAboveBound', `${textOfUnits(found.fee, DECIMALS)} BTC`)
  const payout = {
    withdrawalId: null,
    loanId: null,
    address: target,
    units: found.sent,
    amount: null,
    share: cents(0n),
  }
  return { found, payout }
}
