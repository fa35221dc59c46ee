import {
  cents,
  centsFromDollars,
  dollarsFromCents,
  formatDollars,
  MINIMUM_DEPOSIT,
} from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { NodeFault } from '../../chain/nodes/fault.ts'
import type { Followed } from '../../chain/nodes/follow.ts'
import { openProof } from '../../chain/nodes/proof.ts'
import { evidenceOf } from '../../chain/nodes/queries.ts'
import { addPaidElsewhere } from '../../chain/wallets/addPaidElsewhere.ts'
import type { OnLedger, WithConfig } from '../../http/context.ts'
import { arrivals, type MatchedPayment, settlePayments } from './arrivals.ts'
import { confirmByProduct } from './confirmDeposit.ts'
import { openUnannounced } from './openUnannounced.ts'

const LEAST = centsFromDollars(MINIMUM_DEPOSIT)
/** A quote may count for more than the payment's own rate, by which rows are chosen. */
const LEAST_READ = cents((LEAST * 9n) / 10n)

type CreditingContext = OnLedger & WithConfig
type Source = Pick<Followed, 'settings' | 'node' | 'stopping'>

/** The deposits that were opened for coins without a request, and those that were credited. */
export type Credited = { readonly opened: number; readonly credited: number }

/**
 * Finds the deposit of each confirmed payment, opens one for coins without a request, and credits
 * where no person is needed (docs/product.md 5.19). The next call tries the rest again.
 */
export const creditPayments = async (
  context: CreditingContext,
  { settings, node, stopping }: Source,
): Promise<Credited> => {
  const done = { opened: 0, credited: 0 }
  const { network } = settings
  await addPaidElsewhere(context, network)
  await settlePayments(context.db, network, LEAST_READ)
  const failures: unknown[] = []
  try {
    for await (const found of arrivals(context, { network, least: LEAST_READ, minimum: LEAST })) {
      const actionable = found.filter((each) => isActionable(context, each))
      if (actionable.length === 0) continue
      const isShown = await openProof(
        settings,
        node,
        actionable.map(({ payment }) => payment),
      )
      for (const each of actionable) {
        if (stopping?.aborted) return done
        try {
          if (each.worth === null || !(await isShown(each.payment, each.worth))) continue
          const { opened, credited } = await act(context, each)
          done.opened += Number(opened)
          done.credited += Number(credited)
        } catch (error) {
          // A block that is pruned, say, must not hold up the other payments.
          if (!(error instanceof NodeFault)) failures.push(error)
        }
      }
    }
  } catch (error) {
    // The follower tells the state of the node.
    if (!(error instanceof NodeFault)) throw error
  }
  if (failures.length > 0) throw failures[0]
  return done
}

/** True where the product opens or credits. Otherwise a person decides, or nothing is known. */
const isActionable = ({ config }: CreditingContext, each: MatchedPayment): boolean => {
  const { depositId, worth } = each
  if (worth === null || worth < LEAST) return false
  return depositId === undefined || mayCredit(config, each)
}

const mayCredit = (
  { autoConfirmUpTo }: CreditingContext['config'],
  each: MatchedPayment,
): boolean => {
  const { payment, worth } = each
  if (worth === null || worth > autoConfirmUpTo || payment.isDoubted) return false
  // A deposit that staff approved once is theirs to finish.
  return payment.restingId === null || payment.unannounced === true
}

const act = async (context: CreditingContext, each: MatchedPayment) => {
  const { payment, depositId, worth } = each
  if (worth === null) return { opened: false, credited: false }
  const id = depositId ?? (await openUnannounced(context, payment, worth))
  const opened = depositId === undefined && id !== undefined
  const credited =
    id !== undefined && mayCredit(context.config, each) && (await credit(context, id, each, worth))
  return { opened, credited }
}

/** Refusals of a moment: a limit, or another decision that came first. */
const EXPECTED: readonly string[] = [
  'forbidden',
  'alreadyDecided',
  'accountClosed',
  'evidenceUsed',
  'evidenceOutputUsed',
  'evidenceDiffers',
  'busy',
  'unavailable',
  'outcomeUnknown',
]

/** Returns false when a limit or another decision stands against it. */
const credit = async (
  context: CreditingContext,
  transactionId: string,
  { payment }: MatchedPayment,
  worth: NonNullable<MatchedPayment['worth']>,
): Promise<boolean> => {
  const { network, asset, units, decimals, height } = payment
  const coins = `${textOfUnits(BigInt(units), decimals)} ${asset}`
  try {
    await confirmByProduct(context, {
      transactionId,
      ownerId: payment.ownerId,
      walletId: payment.walletId,
      evidence: evidenceOf(payment),
      receivedAmount: worth,
      basis: `${coins} in block ${height} of ${network}, worth ${formatDollars(dollarsFromCents(worth))}`,
    })
    return true
  } catch (error) {
    if (error instanceof Refusal && EXPECTED.includes(error.code)) return false
    throw error
  }
}
