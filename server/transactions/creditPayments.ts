import {
  centsFromDollars,
  dollarsFromCents,
  formatDollars,
  MINIMUM_DEPOSIT,
} from '@pool/contract/money'
import { textOfUnits } from '@pool/contract/quotes'
import { Refusal } from '@pool/contract/refusals'
import type { Context } from '../context.ts'
import { NodeFault } from '../nodes/fault.ts'
import type { Followed } from '../nodes/follow.ts'
import { openProof } from '../nodes/proof.ts'
import { evidenceOf } from '../nodes/queries.ts'
import { type Arrival, readArrivals, type Unsettled } from './arrivals.ts'
import { confirmByProduct } from './confirmDeposit.ts'
import { openUnannounced } from './openUnannounced.ts'

const LEAST = centsFromDollars(MINIMUM_DEPOSIT)

type Means = Pick<Context, 'config' | 'db' | 'keys' | 'ledger'>
type Source = Pick<Followed, 'settings' | 'node' | 'stopping'>

/** The deposits that were opened for coins without a request, and those that were credited. */
export type Credited = { readonly opened: number; readonly credited: number }

/**
 * Finds the deposit of each confirmed payment, opens one for coins without a request, and credits
 * where no person is needed (docs/product.md 5.19). The next call tries the rest again.
 */
export const creditPayments = async (
  context: Means,
  { settings, node, stopping }: Source,
): Promise<Credited> => {
  const done = { opened: 0, credited: 0 }
  const isShown = openProof(settings, node)
  const most = context.config.autoConfirmUpTo
  try {
    for (const arrival of await readArrivals(context, settings.network, LEAST)) {
      if (stopping?.aborted) break
      const { payment, worth, depositId } = arrival
      // Below the minimum, or without a rate, a person decides.
      if (worth === null || worth < LEAST) continue
      const mayCredit = worth <= most && (payment.claimId === null || payment.unannounced === true)
      if (depositId !== undefined && !mayCredit) continue
      if (!(await isShown(payment))) continue
      const id = depositId ?? (await openUnannounced(context, payment, worth))
      if (id === undefined) continue
      if (depositId === undefined) done.opened += 1
      if (mayCredit && (await credit(context, id, { payment, worth }))) done.credited += 1
    }
  } catch (error) {
    // The follower tells the state of the node.
    if (!(error instanceof NodeFault)) throw error
  }
  return done
}

type Worth = { readonly payment: Unsettled; readonly worth: NonNullable<Arrival['worth']> }

/** Returns false when a limit or another decision stands against it. */
const credit = async (
  context: Means,
  transactionId: string,
  { payment, worth }: Worth,
): Promise<boolean> => {
  const { network, asset, units, decimals, height } = payment
  const coins = `${textOfUnits(BigInt(units), decimals)} ${asset}`
  try {
    await confirmByProduct(context, {
      transactionId,
      evidence: evidenceOf(payment),
      receivedAmount: worth,
      basis: `${coins} in block ${height} of ${network}, worth ${formatDollars(dollarsFromCents(worth))}`,
    })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
