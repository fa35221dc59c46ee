/** The decisions of staff about transactions (docs/product.md 5.3, 9.1). */

import { callFailed, sessionMessages } from '@pool/contract/base/messages'
import {
  approve as approveEndpoint,
  confirm as confirmEndpoint,
  defaultReason,
  rejectByPayload,
  rejectByPut,
  rejectDeposit as rejectDepositEndpoint,
  reject as rejectEndpoint,
} from '@pool/contract/requests/decisions'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Answer, call, requireIdentity } from '../http/client.ts'
import { isAbsent, isUnauthorized } from '../http/errors.ts'
import { asRecord } from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'
import { invalidateMoney } from './transactions.ts'

/** `payeeAddress` is the address on the screen. The server refuses to pay another. */
type ApprovalOfWithdrawal = {
  readonly transactionId: string
  readonly userId: string
  readonly payeeAddress: string | undefined
  /** The reason to pass over older ones. */
  readonly outOfOrderReason?: string
}

const approve = async (
  payload: ApprovalOfWithdrawal,
  idempotencyKey: string,
): Promise<Answer<unknown>> => {
  requireIdentity()
  return call(approveEndpoint, {
    payload,
    idempotencyKey,
    texts: { otherwise: callFailed.approve },
  })
}

/** `receivedAmount` is in dollars. Without it the amount asked for is credited. */
type Confirmation = {
  readonly transactionId: string
  readonly evidence?: string
  readonly receivedAmount?: number | undefined
}

const confirm = async (
  { transactionId, evidence, receivedAmount }: Confirmation,
  idempotencyKey: string,
): Promise<Answer<unknown>> => {
  requireIdentity()
  const payload = {
    transactionId,
    ...(evidence?.trim() ? { evidence: evidence.trim() } : {}),
    ...(receivedAmount === undefined ? {} : { receivedAmount }),
  }
  return call(confirmEndpoint, {
    payload,
    idempotencyKey,
    texts: { otherwise: callFailed.confirm },
  })
}

/** The transaction still waits for another approval. */
export const isFirstApproval = ({ data }: Answer<unknown>): boolean =>
  asRecord(data)?.status === 'PENDING'

export type Rejection = { readonly transactionId: string; readonly reason: string }

const rejectTexts = {
  otherwise: callFailed.reject,
  unauthorized: sessionMessages.authenticationFailed,
}

/**
 * Tries the three paths in turn (docs/product.md 5.10); the server releases the money once. A 401
 * stops, and when all fail the first existing path counts.
 */
export const reject = async (
  { transactionId, reason: typed }: Rejection,
  idempotencyKey: string,
): Promise<Answer<unknown>> => {
  requireIdentity()
  const reason = typed.trim() || defaultReason.reject
  const byId = { params: { id: transactionId }, payload: { reason }, texts: rejectTexts }
  // Each path is another request, so it needs its own key.
  const attempts = [
    () => call(rejectEndpoint, { ...byId, idempotencyKey: `${idempotencyKey}-1` }),
    () =>
      call(rejectByPayload, {
        payload: { transactionId, reason },
        texts: rejectTexts,
        idempotencyKey: `${idempotencyKey}-2`,
      }),
    () => call(rejectByPut, { ...byId, idempotencyKey: `${idempotencyKey}-3` }),
  ]
  const failures: unknown[] = []
  for (const attempt of attempts) {
    try {
      return await attempt()
    } catch (error) {
      if (isUnauthorized(error)) throw error
      failures.push(error)
    }
  }
  throw failures.find((error) => !isAbsent(error)) ?? failures[0]
}

/**
 * Rejects a withdrawal that already has an approval: one call, with a default reason of its own
 * (docs/product.md 5.10).
 */
const rejectApproval = async (
  { transactionId, reason }: Rejection,
  idempotencyKey: string,
): Promise<Answer<unknown>> => {
  requireIdentity()
  const payload = { reason: reason.trim() || defaultReason.rejectApproval }
  return call(rejectEndpoint, {
    params: { id: transactionId },
    payload,
    idempotencyKey,
    texts: rejectTexts,
  })
}

/** A request that staff approve, with what its approval rests on. */
export type Approval = ApprovalOfWithdrawal & {
  readonly type: string
  readonly evidence?: string
  readonly receivedAmount?: number | undefined
}

/** Approves a request of either type. */
export const approveRequest = (
  { type, evidence, receivedAmount, ...request }: Approval,
  idempotencyKey: string,
): Promise<Answer<unknown>> =>
  type === 'deposit'
    ? confirm(
        { transactionId: request.transactionId, ...(evidence && { evidence }), receivedAmount },
        idempotencyKey,
      )
    : approve(request, idempotencyKey)

const rejectDeposit = (
  { transactionId, reason }: Rejection,
  idempotencyKey: string,
): Promise<Answer<unknown>> => {
  requireIdentity()
  return call(rejectDepositEndpoint, {
    params: { id: transactionId },
    payload: { reason },
    idempotencyKey,
    texts: rejectTexts,
  })
}

/** A request that staff reject. `isApproved` tells that a withdrawal has an approval. */
type RequestRejection = Rejection & { readonly type: string; readonly isApproved: boolean }

/** Rejects a request of either type. */
const rejectRequest = (
  { type, isApproved, ...rejection }: RequestRejection,
  idempotencyKey: string,
): Promise<Answer<unknown>> => {
  if (type === 'deposit') return rejectDeposit(rejection, idempotencyKey)
  return (isApproved ? rejectApproval : reject)(rejection, idempotencyKey)
}

/** Loads the rows again after every decision, also after a refused one, and waits for them. */
const useDecision = <Decision>(
  decide: (decision: Decision, idempotencyKey: string) => Promise<Answer<unknown>>,
) => {
  const client = useQueryClient()
  return useMutation({ mutationFn: useSubmit(decide), onSettled: () => invalidateMoney(client) })
}

/** Approves a pending withdrawal of `userId`. Stays pending until the rows are loaded again. */
export const useApprove = () => useDecision(approve)
/** Confirms that a pending deposit has arrived. */
export const useConfirm = () => useDecision(confirm)
/** Rejects a pending withdrawal. An empty reason becomes 'Transaction rejected by admin'. */
export const useReject = () => useDecision(reject)
/** Rejects a withdrawal with an approval. An empty reason becomes 'Approval rejected by admin'. */
export const useRejectApproval = () => useDecision(rejectApproval)

/** A decision in the queue. It is done before the rows are loaded again. */
const useQuickDecision = <Decision>(
  decide: (decision: Decision, idempotencyKey: string) => Promise<Answer<unknown>>,
) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(decide),
    onSettled: () => void invalidateMoney(client),
  })
}

export const useApproveRequest = () => useQuickDecision(approveRequest)
export const useRejectRequest = () => useQuickDecision(rejectRequest)
