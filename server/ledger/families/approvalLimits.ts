import { type Cents, cents } from '@pool/contract/base/money'
import type { LimitHolder } from '@pool/contract/money/limits'

/**
 * Cents that one person may decide alone in 24 hours: per investor and approver, and in the pool.
 */
export type ApprovalLimits = { readonly perPerson: Cents; readonly perPool: Cents }

/** Cents that an approver alone decided about for an investor. The product is no approver. */
export type DecidedAlone = {
  readonly approver: string | null
  /** Or the borrower. Null where another decision of the day counts the same money. */
  readonly investor: string | null
  readonly amount: bigint
}

/**
 * The limits, and the cents decided alone in the last 24 hours: by one approver, by investor and in
 * all.
 */
export type LimitUse = ApprovalLimits & {
  readonly byApprover: Cents
  readonly forInvestors: ReadonlyMap<string, Cents>
  readonly byAll: Cents
}

/**
 * The product credits to one person a fifth of the pool's limit at most, so that the deposits of
 * one leave most of the day's limit to others (docs/decisions/093).
 */
const AUTOMATIC_SHARE = 5n

type LoneUse = { readonly limits: ApprovalLimits; readonly decidedAlone: readonly DecidedAlone[] }

/** True for a credit by the product above one person's share. `ownerIds` are their accounts. */
export const exceedsShare = (
  { limits, decidedAlone }: LoneUse,
  { ownerIds, amount }: { readonly ownerIds: readonly string[]; readonly amount: Cents },
): boolean => {
  const credited = decidedAlone
    .filter(({ approver, investor }) => approver === null && ownerIds.includes(investor ?? ''))
    .reduce((total, each) => total + each.amount, amount as bigint)
  return credited * AUTOMATIC_SHARE > limits.perPool
}

/** Sums up the decisions of the last 24 hours as one approver sees them. */
export const limitUse = (
  limits: ApprovalLimits,
  decided: readonly DecidedAlone[],
  approverId: string | null,
): LimitUse => {
  const forInvestors = new Map<string, Cents>()
  for (const { investor, amount } of decided)
    if (investor !== null)
      forInvestors.set(investor, cents((forInvestors.get(investor) ?? 0n) + amount))
  const sum = (some: readonly DecidedAlone[]) =>
    cents(some.reduce((total, { amount }) => total + amount, 0n))
  return {
    ...limits,
    // The product, which is null, is no approver.
    byApprover: sum(decided.filter(({ approver }) => approver !== null && approver === approverId)),
    forInvestors,
    byAll: sum(decided.filter(({ investor }) => investor !== null)),
  }
}

/** The limit that a lone decision would exceed. Undefined when one person suffices. */
export const exceededLimit = (
  { perPerson, perPool, byApprover, forInvestors, byAll }: LimitUse,
  { investorId, amount }: { readonly investorId: string | null; readonly amount: Cents },
): LimitHolder | undefined => {
  // Another decision of the day counts it for the investor and in the pool.
  if (investorId === null) return byApprover + amount > perPerson ? 'approver' : undefined
  if ((forInvestors.get(investorId) ?? 0n) + amount > perPerson) return 'investor'
  if (byApprover + amount > perPerson) return 'approver'
  return byAll + amount > perPool ? 'pool' : undefined
}
