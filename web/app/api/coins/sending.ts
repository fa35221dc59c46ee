/** The marks on approved withdrawals: sent, then completed. Staff only. */
import { callFailed } from '@pool/contract/base/messages'
import { markCompleted, markSent } from '@pool/contract/coins/sending'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Answer, call, requireIdentity } from '../http/client.ts'
import type { ListQuery } from '../http/lists.ts'
import { asRecord, asText } from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'
import { invalidateMoney, type TransactionRow } from '../requests/transactions.ts'

/** Withdrawals that are approved, and those on their way, oldest first. */
export const TO_SEND = {
  type: 'withdrawal',
  status: 'APPROVED,PROCESSING',
  sort: 'createdAt',
  order: 'asc',
} as const satisfies ListQuery

/** The network that a withdrawal is paid on, or empty while none is known. */
export const networkToPay = ({ sent, payee, networkName }: TransactionRow): string =>
  sent?.networkName || payee?.networkName || networkName || ''

type SentWithdrawal = {
  readonly transactionId: string
  readonly networkName: string
  readonly evidence: string
  readonly outOfOrderReason?: string
}

const send = ({ transactionId, ...payload }: SentWithdrawal): Promise<Answer<unknown>> => {
  requireIdentity()
  return call(markSent, {
    params: { id: transactionId },
    payload,
    texts: { otherwise: callFailed.markSent },
  })
}

/** Returns the proposal that a second person approves, or null where one person sufficed. */
const complete = async (transactionId: string): Promise<string | null> => {
  requireIdentity()
  const { data } = await call(markCompleted, {
    params: { id: transactionId },
    texts: { otherwise: callFailed.markSent },
  })
  return asText(asRecord(data)?.proposalId)
}

const useMark = <Mark, Result>(mark: (mark: Mark) => Promise<Result>) => {
  const client = useQueryClient()
  return useMutation({ mutationFn: useSubmit(mark), onSettled: () => invalidateMoney(client) })
}

export const useMarkSent = () => useMark(send)
export const useMarkCompleted = () => useMark(complete)
