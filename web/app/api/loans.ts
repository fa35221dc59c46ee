/** One loan with its schedule and repayments, and the steps of staff. */
import type { Payload } from '@pool/contract/endpoint'
import * as contract from '@pool/contract/loans'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, requireIdentity } from './http/client.ts'
import { ApiError } from './http/errors.ts'
import type { Shape } from './http/reading.ts'
import { asFlag, asMoment, asNumber, asRecord, asText, list, or, record } from './http/reading.ts'
import { useSubmit } from './http/submit.ts'
import { readLoan } from './loanList.ts'

type Story = contract.LoanStory

const readStory = record({
  loan: readLoan,
  lines: list(
    record({
      number: or(asNumber, 0),
      dueOn: or(asText, ''),
      principal: or(asNumber, 0),
      interest: or(asNumber, 0),
      balance: asNumber,
      paid: or(asNumber, 0),
      interestPaid: or(asNumber, 0),
    } satisfies Shape<Story['lines'][number]>),
  ),
  yearlyRate: asNumber,
  repayments: list(
    record({
      id: or(asText, ''),
      valueOn: asText,
      reference: or(asText, ''),
      principal: or(asNumber, 0),
      interest: or(asNumber, 0),
      recordedBy: or(asText, ''),
      at: asMoment,
      reversedFor: asText,
    } satisfies Shape<Story['repayments'][number]>),
  ),
  events: list(
    record({
      what: or(asText, ''),
      at: asMoment,
      by: (value) => (Array.isArray(value) ? value.flatMap((each) => asText(each) ?? []) : []),
      amount: asNumber,
    } satisfies Shape<Story['events'][number]>),
  ),
  isAgreed: asFlag,
  evidence: asText,
  networkName: asText,
} satisfies Shape<Story>)

export type ShownLoan = ReturnType<typeof readStory>
export type LoanLine = ShownLoan['lines'][number]
export type ShownRepayment = ShownLoan['repayments'][number]

/** The interval of the query in milliseconds. Changes are told at once, too. */
const ASKED_EVERY = 60_000

/** One loan. */
export const useLoan = (id: string, otherwise: string) =>
  useQuery({
    queryKey: ['loans', 'one', id],
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) => {
      const texts = { otherwise }
      return readStory((await call(contract.loanStory, { params: { id }, signal, texts })).data)
    },
  })

/** True if there is no such loan. */
export const isNoLoan = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'loanNotFound'

/** A step of staff. The loan is loaded again, also after a refusal. */
const useStep = <Step, Result>(send: (step: Step, key: string) => Promise<Result>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(send),
    onSettled: () =>
      Promise.all(
        ['loans', 'borrowers', 'waiting', 'proposals'].map((word) =>
          client.invalidateQueries({ queryKey: [word] }),
        ),
      ),
  })
}

/** Records an application, and returns the id of the loan. */
export const useRecordLoan = (otherwise: string) =>
  useStep(async (payload: Payload<typeof contract.recordLoan>) => {
    requireIdentity()
    const { data } = await call(contract.recordLoan, { payload, texts: { otherwise } })
    return asText(asRecord(data)?.id) ?? ''
  })

type OfLoan = { readonly id: string }

/** Approves a loan as the first of two. */
export const useAskApproval = (otherwise: string) =>
  useStep(async ({ id, reason }: OfLoan & { readonly reason: string }) => {
    requireIdentity()
    const params = { id }
    await call(contract.askLoanApproval, { params, payload: { reason }, texts: { otherwise } })
  })

/** Names the transaction that paid a loan out, as the first of two. */
export const useAskDisbursement = (otherwise: string) =>
  useStep(async ({ id, ...payload }: OfLoan & Payload<typeof contract.askDisbursement>) => {
    requireIdentity()
    await call(contract.askDisbursement, { params: { id }, payload, texts: { otherwise } })
  })

/** Records a repayment. */
export const useRepay = (otherwise: string) =>
  useStep(
    async (
      { id, ...payload }: OfLoan & Payload<typeof contract.repayLoan>,
      idempotencyKey: string,
    ) => {
      requireIdentity()
      const texts = { otherwise }
      await call(contract.repayLoan, { params: { id }, payload, texts, idempotencyKey })
    },
  )

/** Takes a repayment back, with a reason. The id is that of the repayment. */
export const useReverseRepayment = (otherwise: string) =>
  useStep(async ({ id, reason }: OfLoan & { readonly reason: string }) => {
    requireIdentity()
    const params = { id }
    await call(contract.reverseRepayment, { params, payload: { reason }, texts: { otherwise } })
  })
