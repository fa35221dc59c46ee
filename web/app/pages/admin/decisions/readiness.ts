import { actionsFor, type TransactionAction } from '@pool/contract/requests/decisions'
import { type TransactionRow, waitsUntil } from '../../../api/requests/transactions.ts'

/** The reasons why a person cannot approve a request now, in the order of their sentences. */
const hindrances = [
  'closed',
  'readOnly',
  'approvedByMe',
  'ownerFrozen',
  'ownerSuspended',
  'newAddress',
  'noNetwork',
] as const
export type Hindrance = (typeof hindrances)[number]

/** The facts of a request that a decision rests on. */
export type Decidable = Pick<
  TransactionRow,
  'type' | 'status' | 'amount' | 'approvals' | 'payee' | 'networkName' | 'flags'
>

/** The person who may decide, and the moment. */
export type Decider = {
  readonly email: string | undefined
  readonly mayWrite: boolean
  readonly isLive: boolean
  readonly now: Date
}

export type Readiness = {
  /** It waits for a decision of any person. */
  readonly isOpen: boolean
  /** It is open, and this person has not approved it. */
  readonly waitsForMe: boolean
  readonly canApprove: boolean
  readonly canReject: boolean
  /** An approval needs nothing but the press. */
  readonly isReady: boolean
  readonly hindrances: readonly Hindrance[]
}

/** The last approval of a deposit for another amount than was asked for. */
export const otherApproval = ({ type, amount, approvals }: Decidable) => {
  const last = type === 'deposit' ? approvals.at(-1) : undefined
  return last && last.amount !== null && last.amount !== amount ? last : undefined
}

const rejections: readonly TransactionAction[] = ['reject', 'rejectDeposit']

/** Answers once for buttons, keys, selections and sentences. The server decides again. */
export const readiness = (request: Decidable, decider: Decider): Readiness => {
  const { type, payee, networkName } = request
  const { email, mayWrite, isLive, now } = decider
  const actions = actionsFor(type, request.status)
  const isOpen = actions.length > 0
  const hinders: Readonly<Record<Hindrance, boolean>> = {
    closed: !isOpen,
    readOnly: !mayWrite,
    // One person cannot give both approvals.
    approvedByMe: request.approvals.some(({ username }) => username === email),
    // Its owner has to lift the freeze first.
    ownerFrozen: request.flags.includes('ownerFrozen'),
    ownerSuspended: request.flags.includes('ownerSuspended'),
    newAddress: waitsUntil(request, now) !== null,
    // Live mode cannot tell on which network the withdrawal is paid.
    noNetwork: isLive && type === 'withdrawal' && !(payee?.networkName ?? networkName),
  }
  const canApprove = hindrances.every((each) => !hinders[each])
  const needsMore =
    type === 'deposit' ? isLive || otherApproval(request) !== undefined : payee === null
  return {
    isOpen,
    waitsForMe: isOpen && !hinders.approvedByMe,
    canApprove,
    canReject: mayWrite && actions.some((action) => rejections.includes(action)),
    isReady: canApprove && !needsMore,
    hindrances: isOpen ? hindrances.filter((each) => hinders[each]) : ['closed'],
  }
}
