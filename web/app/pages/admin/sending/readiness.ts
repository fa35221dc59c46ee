import { type BatchState, mayBeSigned } from '@pool/contract/coins/batchStates'
import type { TransactionRow } from '../../../api/requests/transactions.ts'

/** The reasons why a person cannot mark a withdrawal now, in the order of their sentences. */
const hindrances = ['readOnly', 'own', 'inBatch'] as const
export type Hindrance = (typeof hindrances)[number]

/** The facts of a withdrawal that a mark rests on. */
export type Sendable = Pick<TransactionRow, 'status' | 'userId' | 'batchId'> & {
  readonly batchState: BatchState | null
}

/** The person who may mark. */
export type Sender = {
  readonly userId: string | undefined
  readonly mayWrite: boolean
  /** A super admin asks for a return. */
  readonly mayGiveBack: boolean
}

export type Readiness = {
  /** As sent, or as completed once it was sent. */
  readonly canMark: boolean
  readonly canGiveBack: boolean
  /** A new batch can have it. */
  readonly canBatch: boolean
  readonly hindrances: readonly Hindrance[]
}

/**
 * Answers once for buttons, dialogs and sentences, as the server would now (docs/product.md 5.22).
 * The server decides again.
 */
export const readiness = (withdrawal: Sendable, sender: Sender): Readiness => {
  const { status, userId, batchId, batchState } = withdrawal
  const hinders: Readonly<Record<Hindrance, boolean>> = {
    readOnly: !sender.mayWrite,
    own: userId !== null && userId === sender.userId,
    inBatch: mayBeSigned(batchState),
  }
  const found = hindrances.filter((each) => hinders[each])
  const isOpen = status === 'APPROVED' || status === 'PROCESSING'
  const isFree = isOpen && found.length === 0
  return {
    canMark: isFree,
    canGiveBack: isFree && sender.mayGiveBack,
    // One batch at most has it, also while that one is on the network.
    canBatch: status === 'APPROVED' && batchId === null && found.length === 0,
    hindrances: isOpen ? found : [],
  }
}
