import type { Payload } from '@pool/contract/base/endpoint'
import type { Cents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import { unitsFromText } from '@pool/contract/chain/quotes'
import type { CountingRate } from '@pool/contract/chain/rates'
import { BATCH_SIZE, FEE_RATE_DECIMALS, type makeBatch } from '@pool/contract/coins/batches'
import type { BatchProblem } from '@pool/contract/coins/batchRefusals'
import { bitcoin } from '../../base/chains/bitcoin.ts'
import { ethereum } from '../../base/chains/ethereum.ts'
import { requireNetwork } from '../../base/chains/networks.ts'
import { solana } from '../../base/chains/solana.ts'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import { coins } from '../../chain/nodes/coins.ts'
import { ratesAt } from '../../chain/rates/ratesAt.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { readCandidates } from './candidates.ts'
import { readEarlier } from './earlierBatches.ts'
import { type PayingNode, requireFineNode } from './payingNode.ts'
import { solanaCsv } from './payoutCsv.ts'
import {
  centsOf,
  type Gas,
  NOTHING_UNUSABLE,
  nothingToPay,
  orderOf,
  type Plan,
  type PlannedPayout,
  unitsOf,
} from './plan.ts'
import { planCollection, planPayout } from './planBitcoin.ts'
import { ownAddress, planEvmCollection, planEvmPayout } from './planEvm.ts'
import { feeOf } from './proveEvm.ts'

export type AskedBatch = Payload<typeof makeBatch>
export type Planning = WithDb & WithConfig

const impossible = (problem: BatchProblem) => refusal('batchImpossible', { problem })

/** The classes of addresses that coins are collected to. */
const TARGETS = ['COLD', 'SAFE', 'PAYER']

type Asset = {
  readonly coin: string
  readonly decimals: number
  /** The token's contract or mint. Null for the network's own coin. */
  readonly contract: string | null
}

const assetOf = (settings: ChainSettings, coin: string): Asset => {
  const { network } = settings
  if (coin === coins[network]) {
    const decimals = { bitcoin: bitcoin.decimals, evm: ethereum.decimals, solana: solana.decimals }
    return { coin, decimals: decimals[settings.kind], contract: null }
  }
  const tokens =
    settings.kind === 'evm'
      ? settings.tokens.map((each) => ({ ...each, contract: each.contract }))
      : settings.kind === 'solana'
        ? settings.tokens.map((each) => ({ ...each, contract: each.mint }))
        : []
  const found = tokens.find(({ symbol }) => symbol === coin)
  if (!found) throw impossible('unknownCoin')
  return { coin, decimals: found.decimals, contract: found.contract }
}

/** Satoshis of a number of coins with up to eight decimals, as its call checked. */
const satoshisOf = (text: string): bigint => unitsFromText(text, bitcoin.decimals) ?? 0n

/**
 * Plans a batch without writing anything. Throws `unknownNetwork`, and `batchImpossible` with the
 * reason.
 */
export const planBatch = async (
  { config, db }: Planning,
  asked: AskedBatch,
  by: string,
): Promise<Plan> => {
  const network = requireNetwork(asked.networkName)
  const paying = await requireFineNode(db, config, network)
  const asset = assetOf(paying.settings, asked.coin)
  const [priced, ofFee] = await ratesAt(db, config, [
    { coin: asked.coin, seconds: null },
    { coin: coins[network], seconds: null },
  ])
  if (!priced?.rate) throw impossible('noRate')
  const shared = {
    kind: asked.kind,
    network,
    coin: asset.coin,
    decimals: asset.decimals,
    rate: priced.rate,
  }
  const feeRate = ofFee?.rate ?? null
  const given = { asked, paying, asset, network, feeRate, at: priced.moment }
  if (asked.kind === 'COLLECTION') {
    const part = await paying.asking(() => collection({ config, db }, given))
    return { ...shared, ...NO_PAYER, ...part, fee: feeIn(part, feeRate) }
  }
  const { withdrawalIds: ids, loanIds } = asked
  if (ids.length + loanIds.length > BATCH_SIZE) throw impossible('tooLarge')
  const candidates = await readCandidates(db, config, { ids, loanIds, network, by })
  const wanted = candidates.payable.map((each) => ({
    ...each,
    units: unitsOf(each.amount, priced.rate as CountingRate, asset.decimals),
  }))
  if (wanted.length === 0) throw nothingToPay(candidates.leftOut)
  const part = await paying.asking(() => payout({ config, db }, given, wanted))
  return {
    ...shared,
    ...NO_PAYER,
    ...part,
    fee: feeIn(part, feeRate),
    leftOut: [...candidates.leftOut, ...part.leftOut],
  }
}

const NO_PAYER = { payer: null, nonce: null, safeHash: null, gas: null } as const

type Feed = Pick<Plan, 'feeUnits'> & { readonly gas?: Gas | null }

/** The dollars of a plan's network fee. */
const feeIn = ({ feeUnits, gas }: Feed, rate: CountingRate | null): Cents | null => {
  if (!rate) return null
  if (feeUnits !== null) return centsOf(feeUnits, rate, bitcoin.decimals)
  return gas ? feeOf(gas, rate) : null
}

type PlanInput = {
  readonly asked: AskedBatch
  readonly paying: PayingNode
  readonly asset: Asset
  readonly network: NetworkName
  /** The rate of the network's own coin, if one counts. */
  readonly feeRate: CountingRate | null
  /** The moment of the rate, by the database's clock. */
  readonly at: Date
}

const onBitcoin = ({ asked, paying }: PlanInput, { config }: Planning) => ({
  mode: config.poolMode,
  paying,
  // A number of the wire has three decimals at most.
  feeRate:
    asked.feeRate === undefined
      ? undefined
      : BigInt(Math.round(asked.feeRate * 10 ** FEE_RATE_DECIMALS)),
  mostFee: asked.mostFee === undefined ? undefined : satoshisOf(asked.mostFee),
})

const collection = async (context: Planning, given: PlanInput) => {
  const { asked, paying, asset, network } = given
  const { settings } = paying
  const target = await ownAddress(context.db, network, asked.target ?? '', TARGETS)
  if (target === undefined) throw impossible('noTarget')
  if (settings.kind === 'bitcoin')
    return planCollection(context.db, onBitcoin(given, context), target)
  if (settings.kind === 'evm')
    return planEvmCollection(context.db, { paying, settings, asset }, target)
  throw impossible('noCollection')
}

const payout = async (context: Planning, given: PlanInput, wanted: readonly PlannedPayout[]) => {
  const { asked, paying, asset, feeRate, at } = given
  const { settings } = paying
  if (settings.kind === 'bitcoin') return planPayout(context.db, onBitcoin(given, context), wanted)
  if (settings.kind === 'evm') {
    const format = asked.format === 'CSV' ? 'CSV' : 'SAFE'
    const { payer } = asked
    const order = { paying, settings, asset, format, payer, feeRate, at } as const
    return planEvmPayout(context.db, order, wanted)
  }
  return solanaPayout(context, given, wanted)
}

const solanaPayout = async (
  { db }: Planning,
  { asked, asset, network }: PlanInput,
  wanted: readonly PlannedPayout[],
) => {
  const payer = await ownAddress(db, network, asked.payer ?? '', ['PAYER'])
  if (payer === undefined) throw impossible('noPayer')
  const earlier = await readEarlier(db, wanted.map(orderOf))
  const sent = new Set(earlier.flatMap(({ order, isSent }) => (isSent ? order : [])))
  const payouts = wanted.filter((each) => each.units > 0n && !sent.has(orderOf(each)))
  const leftOut = wanted
    .filter((each) => !payouts.includes(each))
    .map(({ withdrawalId, loanId, units }) => {
      const why = units < 1n ? ('small' as const) : ('earlierBatch' as const)
      return { withdrawalId, loanId, why }
    })
  if (payouts.length === 0) throw nothingToPay(leftOut)
  return {
    format: 'CSV' as const,
    feeRate: null,
    feeUnits: null,
    change: null,
    inputs: [],
    signer: null,
    payer,
    nonce: null,
    safeHash: null,
    payouts,
    leftOut,
    unusable: NOTHING_UNUSABLE,
    file: solanaCsv(payouts, { mint: asset.contract, decimals: asset.decimals }),
  }
}
