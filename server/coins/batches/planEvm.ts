/** Plans of EVM networks: a file for a Safe, or a CSV for a plain key. */
import { cents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { textOfUnits } from '@pool/contract/chain/quotes'
import type { CountingRate } from '@pool/contract/chain/rates'
import type { BatchProblem } from '@pool/contract/coins/batchRefusals'
import { type Kysely, sql } from 'kysely'
import type { EvmSettings } from '../../base/configuration/chainsFile.ts'
import { pagesOf } from '../../base/db/pages.ts'
import type { Schema } from '../../base/db/schema.ts'
import { coins } from '../../chain/nodes/coins.ts'
import { readEarlier } from './earlierBatches.ts'
import { asRefusal, type PayingNode, readGasPrice, readSafe } from './payingNode.ts'
import type { Collected } from './payoutCsv.ts'
import { collectionCsv, evmCsv } from './payoutCsv.ts'
import {
  type LeftOut,
  NOTHING_UNUSABLE,
  nothingToPay,
  orderOf,
  type Plan,
  type PlannedInput,
  type PlannedPayout,
} from './plan.ts'
import { callOf, type EvmCoin, provePayouts } from './proveEvm.ts'
import { builderFileOf, MULTI_SEND, safeHashOf, safeTransactionOf } from './safe.ts'

const impossible = (problem: BatchProblem, amount?: string) =>
  refusal('batchImpossible', { problem, ...(amount !== undefined && { amount }) })

type EvmPlanRequest = {
  readonly paying: PayingNode
  readonly settings: EvmSettings
  readonly asset: EvmCoin
  readonly format: 'SAFE' | 'CSV'
  readonly payer: string | undefined
  /** The rate of the network's own coin, if one counts. */
  readonly feeRate: CountingRate | null
  readonly at: Date
}

type Part = Pick<
  Plan,
  | 'format'
  | 'feeRate'
  | 'feeUnits'
  | 'gas'
  | 'change'
  | 'inputs'
  | 'signer'
  | 'payer'
  | 'nonce'
  | 'safeHash'
  | 'payouts'
  | 'leftOut'
  | 'unusable'
  | 'file'
>

const NO_FEE = { feeRate: null, feeUnits: null, change: null, signer: null } as const

/** An address of the pool of one of these classes, as it was added. Undefined for another. */
export const ownAddress = async (
  db: Kysely<Schema>,
  network: string,
  address: string,
  classes: readonly string[],
): Promise<string | undefined> => {
  const { rows } = await sql<{ address: string }>`
    SELECT address FROM own_addresses
    WHERE network_name = ${network} AND class = ANY (${classes})
      AND (address = ${address} OR address LIKE '0x%' AND lower(address) = lower(${address}))`.execute(
    db,
  )
  return rows[0]?.address
}

/** Plans the payment of withdrawals and loans. Throws `batchImpossible`. */
export const planEvmPayout = async (
  db: Kysely<Schema>,
  asked: EvmPlanRequest,
  wanted: readonly PlannedPayout[],
): Promise<Part> => {
  const { settings, asset, format } = asked
  const payer = await ownAddress(db, settings.network, asked.payer ?? '', [
    format === 'SAFE' ? 'SAFE' : 'PAYER',
  ])
  if (payer === undefined) throw impossible('noPayer')
  const safe = format === 'SAFE' ? await requireSafe(db, asked, payer) : undefined
  const sorted = await sortOut(db, { payer, safe }, wanted)
  if (sorted.payouts.length === 0) throw nothingToPay(sorted.leftOut)
  await requireCoins(asked, payer, sorted.payouts)
  const paying = { settings, asset, payer, multiSend: safe?.multiSend, feeRate: asked.feeRate }
  const { payouts, leftOut, gas } = await provePayouts(paying, sorted.payouts)
  const shared = {
    ...NO_FEE,
    format,
    payer,
    inputs: [],
    payouts,
    gas,
    leftOut: [...sorted.leftOut, ...leftOut],
  }
  if (!safe) {
    const file = evmCsv(payouts, asset)
    return { ...shared, nonce: null, safeHash: null, unusable: NOTHING_UNUSABLE, file }
  }
  const calls = payouts.map((payout) => callOf(payout, asset))
  const { chainId } = settings
  const { nonce, multiSend } = safe
  const hash = safeHashOf(safeTransactionOf(calls, multiSend), { chainId, safe: payer, nonce })
  const file = builderFileOf({ chainId, safe: payer, nonce, hash, calls, at: asked.at.getTime() })
  return { ...shared, nonce, safeHash: hash, unusable: NOTHING_UNUSABLE, file }
}

type Safe = {
  /** The number that the file is signed with. */
  readonly nonce: number
  /** The Safe's next number. Those below are used. */
  readonly next: number
  readonly multiSend: string
}

/** The Safe's next free number: above its own, and above those of open batches. */
const requireSafe = async (
  db: Kysely<Schema>,
  { settings }: EvmPlanRequest,
  payer: string,
): Promise<Safe> => {
  const facts = await asRefusal(() => readSafe(settings, payer, Object.values(MULTI_SEND).flat()))
  const known = (facts && MULTI_SEND[facts.version]) ?? []
  const multiSend = known.find((contract) => facts?.present.has(contract))
  if (!facts || multiSend === undefined) throw impossible('noSafe')
  const { rows } = await sql<{ next: number }>`
    SELECT coalesce(max(nonce) + 1, 0)::int AS next FROM batches
    WHERE network_name = ${settings.network} AND payer = ${payer} AND format = 'SAFE' AND state <> 'GIVEN_UP'`.execute(
    db,
  )
  const nonce = Math.max(facts.nonce, rows[0]?.next ?? 0)
  return { nonce, next: facts.nonce, multiSend }
}

/**
 * Leaves out payouts of nothing, and those whose earlier file could still be executed beside this
 * one. Two transactions of a Safe with one number exclude each other.
 */
const sortOut = async (
  db: Kysely<Schema>,
  { payer, safe }: { readonly payer: string; readonly safe: Safe | undefined },
  wanted: readonly PlannedPayout[],
) => {
  const earlier = await readEarlier(db, wanted.map(orderOf))
  const blocked = new Set(
    earlier
      .filter((each) => {
        if (each.isSent) return true
        // A CSV excludes nothing, which its page says.
        if (each.format !== 'SAFE') return false
        const isThisSafe = safe !== undefined && each.payer === payer
        // A batch may be paid by hand, under another number than its own.
        const isUnused = isThisSafe && safe.next <= (each.nonce ?? 0)
        if (each.isOvertaken && !isUnused) return false
        // A used nonce does not say which transaction used it.
        return !isThisSafe || each.nonce !== safe.nonce
      })
      .map(({ order }) => order),
  )
  const leftOut: LeftOut[] = []
  const payouts = wanted.filter((each) => {
    const { withdrawalId, loanId, units } = each
    const why = units < 1n ? 'small' : blocked.has(orderOf(each)) ? 'earlierBatch' : undefined
    if (why) leftOut.push({ withdrawalId, loanId, why })
    return !why
  })
  return { payouts, leftOut }
}

/** Throws `batchImpossible` unless the payer has the coins now. */
const requireCoins = async (
  { paying, asset }: EvmPlanRequest,
  payer: string,
  payouts: readonly PlannedPayout[],
): Promise<void> => {
  const { node, height } = paying
  const balances = (await asRefusal(async () => node.balances?.(height, [payer]))) ?? []
  const has = balances.find((each) => each.asset === asset.coin)?.units ?? 0n
  const needs = payouts.reduce((sum, { units }) => sum + units, 0n)
  if (has < needs)
    throw impossible('tooLittle', `${textOfUnits(needs - has, asset.decimals)} ${asset.coin}`)
}

/** Gas of a transfer of the network's own coin, and of a token with room to spare. */
const [COIN_GAS, TOKEN_GAS] = [21_000n, 80_000n]
/** The price of gas may double before the transfers are made. */
const PRICE_ROOM = 2n
/** Addresses that are looked at in one call, and those of one file. */
const [LOOKED_AT, MOST_COLLECTED] = [1_000, 200]

type Seen = { readonly address: string; readonly units: string }

/** Investors' addresses that a coin paid, those with most first. Many may be empty by now. */
const paidAddresses = async function* (
  db: Kysely<Schema>,
  { settings, asset }: Pick<EvmPlanRequest, 'settings' | 'asset'>,
): AsyncGenerator<string[], void> {
  const pages = pagesOf<Seen>(LOOKED_AT, async (after) => {
    const { rows } = await sql<Seen>`
      SELECT p.address, sum(p.units)::text AS units FROM payments AS p
      WHERE p.network_name = ${settings.network} AND p.asset = ${asset.coin} AND p.state = 'CONFIRMED'
        AND EXISTS (SELECT FROM wallets AS w WHERE lower(w.address) = lower(p.address))
        AND NOT EXISTS (SELECT FROM batch_inputs AS i WHERE i.network_name = p.network_name
          AND i.input = lower(p.address) || ':' || p.asset AND i.is_open)
      GROUP BY p.address
      HAVING ${after === undefined} OR (-sum(p.units), p.address) > (-(${after?.units ?? '0'})::numeric, ${after?.address ?? ''})
      ORDER BY sum(p.units) DESC, p.address LIMIT ${LOOKED_AT}`.execute(db)
    return rows
  })
  for await (const page of pages) yield page.map(({ address }) => address)
}

/** Plans to bring coins of investors' addresses together. Throws `batchImpossible`. */
export const planEvmCollection = async (
  db: Kysely<Schema>,
  { paying, settings, asset }: Pick<EvmPlanRequest, 'paying' | 'settings' | 'asset'>,
  target: string,
): Promise<Part> => {
  const { node, height } = paying
  const price = (await asRefusal(() => readGasPrice(settings))) * PRICE_ROOM
  const gasUnits = asset.contract === null ? COIN_GAS : TOKEN_GAS
  const gas = price * gasUnits
  const collected: Collected[] = []
  for await (const addresses of paidAddresses(db, { settings, asset })) {
    const balances = (await asRefusal(async () => node.balances?.(height, addresses))) ?? []
    const of = (address: string, coin: string) =>
      balances.find((each) => each.address === address && each.asset === coin)?.units ?? 0n
    const found = addresses.map((address) => {
      const own = of(address, coins[settings.network])
      const units = asset.contract === null ? own - gas : of(address, asset.coin)
      const lacks = asset.contract === null || own >= gas ? 0n : gas - own
      return { from: address, address: target, units, gas, lacks }
    })
    collected.push(...found.filter(({ units }) => units > 0n))
    if (collected.length >= MOST_COLLECTED) break
  }
  collected.sort((a, b) => (a.units > b.units ? -1 : 1)).splice(MOST_COLLECTED)
  if (collected.length === 0) throw impossible('smallAmount')
  const inputs: PlannedInput[] = collected.map(({ from, units }) => ({
    input: `${from.toLowerCase()}:${asset.coin}`,
    address: from,
    units,
  }))
  return {
    ...NO_FEE,
    format: 'CSV',
    payer: null,
    nonce: null,
    safeHash: null,
    inputs,
    leftOut: [],
    gas: { used: gasUnits * BigInt(collected.length), price: price / PRICE_ROOM },
    payouts: collected.map(({ units }) => ({
      withdrawalId: null,
      loanId: null,
      address: target,
      units,
      amount: null,
      share: cents(0n),
    })),
    unusable: NOTHING_UNUSABLE,
    file: collectionCsv(collected, asset),
  }
}
