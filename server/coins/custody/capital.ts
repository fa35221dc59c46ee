/** Coins that bring the operator's capital, as two super admins agree (docs/product.md 4.5). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { assetsOf, isDollar } from '@pool/contract/base/assets'
import { type Cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import * as validation from '@pool/contract/base/validation'
import { textOfUnits, unitsFromText } from '@pool/contract/chain/quotes'
import { PAR, rateFrom } from '@pool/contract/chain/rates'
import { worthOf } from '@pool/contract/chain/worth'
import { CAPITAL_SIZE, type Capital } from '@pool/contract/coins/capital'
import { type Kysely, sql } from 'kysely'
import { canonicalEvidence, requireNetwork } from '../../base/chains/networks.ts'
import type { Schema } from '../../base/db/schema.ts'
import { evidenceOf, isOwnMove } from '../../chain/nodes/queries.ts'
import { ratesAt } from '../../chain/rates/ratesAt.ts'
import type { WithConfig, WithDb, WithKeys } from '../../http/context.ts'
import { requireUnbooked } from '../../ledger/engine/within.ts'
import {
  type BroughtCoins,
  type CapitalContributed,
  selectContributions,
} from '../../ledger/families/capital.ts'
import { contributedSince, withdrawnSince } from '../../ledger/sums/contributed.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'

type AskedCapital = PayloadOf<'PUT_IN_CAPITAL'>

/** A payment `payments AS p` that may be capital: the coins of others came to an own address. */
const IS_CAPITAL = sql`p.state = 'CONFIRMED' AND p.deposit_id IS NULL
  AND coin_account(p.network_name, p.address) IN ('cold', 'safe', 'payer') AND NOT ${isOwnMove}`

type PaidRow = {
  readonly id: string
  readonly network: NetworkName
  readonly transaction: string
  readonly output: number
  readonly address: string
  readonly asset: BroughtCoins['asset']
  readonly units: string
  readonly decimals: number
  readonly dollars: string | null
  readonly seenAt: Date
  readonly isBooked: boolean
}

const readPaid = async (
  { config, db }: WithDb & WithConfig,
  id?: string,
): Promise<readonly (PaidRow & { readonly worth: Cents | null })[]> => {
  const { rows } = await sql<PaidRow>`
    SELECT p.id, p.network_name AS network, p.transaction_id AS transaction, p.output, p.address, p.asset, p.units::text, p.decimals,
      p.dollars::text, p.seen_at AS "seenAt", EXISTS (SELECT FROM ${selectContributions} AS c WHERE c.payment_id = p.id) AS "isBooked"
    FROM payments AS p WHERE ${IS_CAPITAL} AND ${id === undefined ? sql`true` : sql`p.id = ${id}`}
    ORDER BY p.seen_at DESC, p.id DESC LIMIT ${CAPITAL_SIZE}`.execute(db)
  const now = await ratesAt(
    db,
    config,
    rows.map(({ asset }) => ({ coin: asset, seconds: null })),
  )
  return rows.map((row, at) => {
    const rate = row.dollars === null ? (now[at]?.rate?.rate ?? null) : rateFrom(row.dollars)
    return {
      ...row,
      worth: worthOf({ units: BigInt(row.units), decimals: row.decimals, rate }),
    }
  })
}

/** The payment that the proposal names, as a node shows it. */
const seenCoins = async (
  context: WithDb & WithConfig,
  asked: AskedCapital,
): Promise<BroughtCoins> => {
  const [paid] = await readPaid(context, asked.paymentId)
  if (
    paid?.network !== asked.networkName ||
    evidenceOf(paid) !== asked.evidence ||
    paid.asset !== asked.asset ||
    textOfUnits(BigInt(paid.units), paid.decimals) !== asked.coins
  )
    throw refusal('capitalUnknown')
  const { id, network, asset, units, decimals, worth } = paid
  if (worth === null) throw refusal('evidenceUnpriced', { coin: asset })
  requireWorth(asked, worth)
  return {
    network,
    asset,
    units: BigInt(units),
    decimals,
    evidence: asked.evidence,
    paymentId: id,
  }
}

/** Coins on a network that no node follows, as two people say. */
const typedCoins = (
  { config }: WithConfig,
  { networkName, asset, coins, evidence, amount }: AskedCapital,
): BroughtCoins => {
  const network = requireNetwork(networkName)
  if (config.chains.some((each) => each.network === network))
    throw refusal('capitalNotSeen', { network })
  const known = assetsOf(network).find(({ coin }) => coin === asset)
  const units = known && unitsFromText(coins, known.decimals)
  if (!known || units === undefined)
    throw refusal('validation', { message: validation.coinsDecimal })
  const transaction = canonicalEvidence(network, evidence)?.id
  if (transaction === undefined) throw refusal('evidenceInvalid')
  // Coins of a dollar count as their units. Others count as two people agree.
  if (isDollar(asset))
    requireWorth(
      { amount },
      worthOf({ units, decimals: known.decimals, rate: PAR }) ?? centsFromDollars(0),
    )
  const { decimals } = known
  return { network, asset, units, decimals, evidence: transaction, paymentId: undefined }
}

const requireWorth = ({ amount }: Pick<AskedCapital, 'amount'>, worth: Cents): void => {
  if (worth !== centsFromDollars(amount))
    throw refusal('capitalCountsAs', { amount: dollarsFromCents(worth) })
}

/**
 * The coins of a proposal. Throws `capitalNotSeen`, `capitalUnknown`, `capitalCountsAs`,
 * `transactionBooked`, `evidenceUnpriced`, `evidenceInvalid` and `validation`.
 */
export const requireBrought = async (
  context: WithDb & WithConfig,
  asked: AskedCapital,
): Promise<BroughtCoins> => {
  const coins =
    asked.paymentId === undefined ? typedCoins(context, asked) : await seenCoins(context, asked)
  await requireUnbooked(context.db, { movement: 'capital_contributed', id: '', coins })
  return coins
}

/** The operation that brings capital in. Throws as {@link requireBrought}. */
export const contributionOf = async (
  context: WithDb & WithConfig & WithKeys,
  { id, payload, reason }: { id: string; payload: AskedCapital; reason: string },
): Promise<CapitalContributed> => {
  const coins = await requireBrought(context, payload)
  return {
    movement: 'capital_contributed',
    id,
    amount: centsFromDollars(payload.amount),
    note: reason,
    contributedBy: SYSTEM.name,
    coins,
    entry: signEntry(context.keys, {
      by: SYSTEM,
      action: 'capital.contributed',
      subject: { type: 'contribution', id },
      after: {
        amount: payload.amount,
        coins: `${payload.coins} ${coins.asset}`,
        networkName: coins.network,
        evidence: coins.evidence,
      },
      reason,
    }),
  }
}

/** The capital put in and taken out, and payments to own addresses that are not booked yet. */
export const readCapital = async (context: WithDb & WithConfig): Promise<Capital> => {
  const { config, db } = context
  const beginning = new Date(0)
  const paid = await readPaid(context)
  return {
    putIn: dollarsFromCents(await contributedSince(db, beginning)),
    takenOut: dollarsFromCents(await withdrawnSince(db, beginning)),
    followed: config.chains.map(({ network }) => network),
    payments: paid
      .filter(({ isBooked }) => !isBooked)
      .map((each) => ({
        id: each.id,
        network: each.network,
        evidence: evidenceOf(each),
        address: each.address,
        asset: each.asset,
        coins: textOfUnits(BigInt(each.units), each.decimals),
        dollars: each.worth === null ? null : dollarsFromCents(each.worth),
        seenAt: timestampFromDate(each.seenAt),
      })),
  }
}

/** Units of capital by asset that the books have on a followed network and no payment covers. */
export const readUncovered = async (
  db: Kysely<Schema>,
  network: string,
): Promise<ReadonlyMap<string, { readonly units: bigint; readonly decimals: number }>> => {
  const { rows } = await sql<{ asset: string; decimals: number; units: string }>`
    SELECT c.asset, max(c.decimals) AS decimals, sum(c.units)::text AS units FROM ${selectContributions} AS c
    WHERE c.network_name = ${network}
      AND (c.source = 'SEEN' OR c.created_at >= (SELECT followed_since FROM chains WHERE network_name = ${network}))
      AND NOT EXISTS (SELECT FROM payments AS p WHERE p.id = c.payment_id AND p.state = 'CONFIRMED'
        AND (p.network_name, p.asset, p.units) = (c.network_name, c.asset, c.units) AND p.deposit_id IS NULL
        AND coin_account(p.network_name, p.address) IN ('cold', 'safe', 'payer'))
    GROUP BY c.asset`.execute(db)
  return new Map(
    rows.map(({ asset, decimals, units }) => [asset, { decimals, units: BigInt(units) }]),
  )
}
