import { cents, dollarsFromCents, formatDollars } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { sql } from 'kysely'
import { pagesOf } from '../../base/db/pages.ts'
import { NodeFault } from '../../chain/nodes/fault.ts'
import type { Followed } from '../../chain/nodes/follow.ts'
import { openAbsence } from '../../chain/nodes/proof.ts'
import { evidenceOf, type PaymentRow, paymentColumns, restsOn } from '../../chain/nodes/queries.ts'
import { isFine } from '../../chain/nodes/stopped.ts'
import type { OnLedger, WithDb } from '../../http/context.ts'
import { collectClaims, isRetryable } from '../../money/claims/collectClaims.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'
import { settledAs } from './arrivals.ts'

/** A credited deposit, and its payment that is gone or became another one. */
type Gone = PaymentRow & {
  readonly address: string
  readonly depositId: string
  readonly ownerId: string
  readonly credited: bigint
  /** The output that the deposit rests on. Null for all that its wallet got. */
  readonly restsOnOutput: number | null
  readonly isChanged: boolean
}

/** Deposits that are read at once. */
const MOST = 100

/** By the evidence of the deposit, which never changes once it is decided. */
const readGone = async (
  db: WithDb['db'],
  network: string,
  after: Gone | undefined,
): Promise<Gone[]> => {
  const { rows } = await sql<Gone>`
    SELECT DISTINCT ON (t.id) ${paymentColumns}, w.address, t.id AS "depositId", t.user_id AS "ownerId",
      t.amount AS credited, t.evidence_output AS "restsOnOutput", p.state = 'CONFIRMED' AS "isChanged"
    FROM payments AS p JOIN wallets AS w ON w.network_name = p.network_name AND lower(w.address) = lower(p.address)
      JOIN transactions AS t ON t.type = 'deposit' AND t.status = 'APPROVED' AND t.wallet_id = w.id AND ${restsOn}
      JOIN chains AS c ON c.network_name = p.network_name AND ${isFine}
    WHERE p.network_name = ${network} AND (${after?.depositId ?? null}::uuid IS NULL OR t.id > ${after?.depositId ?? null}::uuid) AND (p.state IN ('REPLACED', 'DROPPED', 'REVERSED')
      OR p.state = 'CONFIRMED' AND p.deposit_id = t.id AND p.settled_as <> ${settledAs})
    ORDER BY t.id, p.id LIMIT ${MOST}`.execute(db)
  return rows
}

/**
 * Takes back credited deposits whose coins the node itself has no more, and collects what their
 * investors can spend (docs/product.md 5.20). Returns the number of deposits.
 */
export const reverseDeposits = async (
  context: OnLedger,
  { settings, node, stopping }: Pick<Followed, 'settings' | 'node' | 'stopping'>,
): Promise<number> => {
  let reversed = 0
  const failures: unknown[] = []
  try {
    let isAbsent: Awaited<ReturnType<typeof openAbsence>> | undefined
    const pages = pagesOf<Gone>(MOST, (after) => readGone(context.db, settings.network, after))
    for await (const gone of pages) {
      isAbsent ??= await openAbsence(context.db, settings, node)
      for (const each of gone) {
        if (stopping?.aborted) break
        try {
          const { transaction, address, restsOnOutput: output } = each
          const changed = each.isChanged ? each : undefined
          if (!(await isAbsent({ transaction, address, output, changed }))) continue
          if (await reverse(context, each)) reversed += 1
        } catch (error) {
          // One deposit must not hold up the others.
          if (!(error instanceof NodeFault)) failures.push(error)
        }
      }
    }
  } catch (error) {
    // The follower tells the state of the node.
    if (!(error instanceof NodeFault)) throw error
  }
  if (reversed > 0) await collectClaims(context)
  if (failures.length > 0) throw failures[0]
  return reversed
}

/** Returns false when another process took it back first. */
const reverse = async ({ keys, ledger }: OnLedger, payment: Gone): Promise<boolean> => {
  const { id: paymentId, depositId: id, ownerId, network, asset, units, decimals } = payment
  const amount = cents(payment.credited)
  const coins = `${textOfUnits(BigInt(units), decimals)} ${asset}`
  const basis = `${coins} in ${evidenceOf(payment)} are no more on ${network}; they had credited ${formatDollars(dollarsFromCents(amount))}`
  const entry = signEntry(keys, {
    by: SYSTEM,
    action: 'deposit.reversed',
    subject: { type: 'transaction', id },
    ownerId,
    before: { status: 'APPROVED' },
    after: { status: 'REVERSED', amount: dollarsFromCents(amount) },
    reason: basis,
  })
  try {
    await ledger.post({
      movement: 'deposit_reversed',
      id,
      ownerId,
      amount,
      paymentId,
      basis,
      entry,
    })
    return true
  } catch (error) {
    const isDone = error instanceof Refusal && error.code === 'alreadyDecided'
    if (isDone || isRetryable(error)) return false
    throw error
  }
}
