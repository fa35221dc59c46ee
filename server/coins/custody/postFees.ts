/** Books the fees of networks in dollars (docs/product.md 5.24). */
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { type Kysely, sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import { onEachOf, pagesOf } from '../../base/db/pages.ts'
import type { Schema } from '../../base/db/schema.ts'
import { ratesAt } from '../../chain/rates/ratesAt.ts'
import type { OnLedger, WithConfig, WithDb, WithKeys, WithLedger } from '../../http/context.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'
import { centsRoundedUp } from './worth.ts'

/** Fees that are read at once. */
const MOST = 500

type Fee = {
  readonly movementId: string
  readonly network: string
  readonly transaction: string | null
  readonly asset: string
  readonly decimals: number
  readonly units: string
  readonly seconds: number
}
type Gone = Fee & { readonly id: string; readonly amount: bigint }

const FEE_COLUMNS = sql`m.id AS "movementId", m.network_name AS network, m.transaction_id AS transaction, m.asset, m.decimals, m.units::text`

/** Fees of coin movements that the ledger lacks, the oldest first. */
const readUnpaid = async (db: Kysely<Schema>, after: Fee | undefined): Promise<Fee[]> => {
  const { rows } = await sql<Fee>`
    SELECT ${FEE_COLUMNS},
      extract(epoch FROM coalesce((SELECT confirmed_at FROM spendings WHERE id = m.cause_id), m.at))::float8 AS seconds
    FROM coin_movements AS m
    WHERE m.to_account = 'network' AND m.takes_back IS NULL
      AND NOT EXISTS (SELECT FROM network_fees AS f WHERE f.movement_id = m.id)
      AND NOT EXISTS (SELECT FROM coin_movements AS b WHERE b.takes_back = m.id)
      AND (${after?.movementId ?? null}::uuid IS NULL OR m.id > ${after?.movementId ?? null}::uuid)
    ORDER BY m.id LIMIT ${MOST}`.execute(db)
  return rows
}

/** Fees that the ledger has of coins that came back. */
const readGone = async (db: Kysely<Schema>, after: Gone | undefined): Promise<Gone[]> => {
  const { rows } = await sql<Gone>`
    SELECT f.id, f.amount, ${FEE_COLUMNS}, 0 AS seconds
    FROM network_fees AS f JOIN coin_movements AS m ON m.id = f.movement_id JOIN coin_movements AS b ON b.takes_back = m.id
    WHERE f.status = 'PAID' AND (${after?.id ?? null}::uuid IS NULL OR f.id > ${after?.id ?? null}::uuid) ORDER BY f.id LIMIT ${MOST}`.execute(
    db,
  )
  return rows
}

/** Refusals worth retrying: another process posted it, or the reserve has too little now. */
const RETRYABLE: readonly string[] = [
  'feeSettled',
  'reserveExhausted',
  'busy',
  'unavailable',
  'outcomeUnknown',
]

/**
 * Posts each fee once, in cents rounded up, at the rate of the moment of its spending. Without a
 * rate then, the first later one counts. Returns the number of fees paid and returned.
 */
export const postFees = async (context: OnLedger & WithConfig): Promise<number> => {
  const { db } = context
  let posted = 0
  await onEachOf(
    pagesOf<Gone>(MOST, (after) => readGone(db, after)),
    async (fee) => {
      if (await post(context, 'network_fee_returned', fee, fee)) posted += 1
    },
  )
  const unpaid = pagesOf<Fee>(MOST, (after) => readUnpaid(db, after))
  await onEachOf(ratedPages(context, unpaid), async ({ fee, rate }) => {
    // A fee without a rate stays in the list.
    if (rate === undefined) return
    const amount = centsRoundedUp({ units: BigInt(fee.units), decimals: fee.decimals, rate })
    if (await post(context, 'network_fee_paid', fee, { id: newId(), amount })) posted += 1
  })
  return posted
}

/** Adds the rate of its moment to each fee, or the present one. */
const ratedPages = async function* (
  { config, db }: WithDb & WithConfig,
  pages: AsyncIterable<readonly Fee[]>,
) {
  for await (const page of pages) {
    const moments = page.flatMap(({ asset: coin, seconds }) => [
      { coin, seconds },
      { coin, seconds: null },
    ])
    const rates = await ratesAt(db, config, moments)
    yield page.map((fee, at) => ({
      fee,
      rate: (rates[2 * at]?.rate ?? rates[2 * at + 1]?.rate)?.rate,
    }))
  }
}

const actions = { network_fee_paid: 'fee.paid', network_fee_returned: 'fee.returned' } as const

/** False where another process was first, or the next call tries again. */
const post = async (
  { keys, ledger }: WithKeys & WithLedger,
  movement: keyof typeof actions,
  { movementId, network, transaction, asset, decimals, units }: Fee,
  { id, amount }: { readonly id: string; readonly amount: bigint },
): Promise<boolean> => {
  const entry = signEntry(keys, {
    by: SYSTEM,
    action: actions[movement],
    subject: { type: 'fee', id },
    after: {
      amount: dollarsFromCents(cents(amount)),
      coins: `${textOfUnits(BigInt(units), decimals)} ${asset}`,
      networkName: network,
      ...(transaction !== null && { evidence: transaction }),
    },
  })
  try {
    await ledger.post({ movement, id, movementId, amount: cents(amount), entry })
    return true
  } catch (error) {
    if (error instanceof Refusal && RETRYABLE.includes(error.code)) return false
    throw error
  }
}
