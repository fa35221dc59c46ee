/** One loan with its schedule and repayments, and the steps of staff. */
import type { Payload } from '@pool/contract/base/endpoint'
import * as late from '@pool/contract/lending/lateLoans'
import * as contract from '@pool/contract/lending/loans'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, requireIdentity } from '../http/client.ts'
import { ApiError } from '../http/errors.ts'
import type { Shape } from '../http/reading.ts'
import { asFlag, asMoment, asNumber, asRecord, asText, list, or, record } from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'
import { readLoan } from './loanList.ts'
import { readCollateral, readDocuments, readUpdates } from './loanRecords.ts'

type Story = contract.LoanStory

const readLines = list(
  record({
    number: or(asNumber, 0),
    dueOn: or(asText, ''),
    principal: or(asNumber, 0),
    interest: or(asNumber, 0),
    balance: asNumber,
    paid: or(asNumber, 0),
    interestPaid: or(asNumber, 0),
  } satisfies Shape<Story['lines'][number]>),
)

const readStopped = record({
  number: or(asNumber, 0),
  interest: or(asNumber, 0),
} satisfies Shape<NonNullable<NonNullable<Story['default']>['stopped']>>)

const readDefault = record({
  on: asText,
  reason: or(asText, ''),
  daysPastDue: or(asNumber, 0),
  exposure: asNumber,
  stopped: (value) => (asRecord(value) ? readStopped(value) : null),
  why: asText,
} satisfies Shape<NonNullable<Story['default']>>)

const readStory = record({
  loan: readLoan,
  lines: readLines,
  replacedLines: readLines,
  default: (value) => (asRecord(value) ? readDefault(value) : null),
  restructurings: list(
    record({
      startsOn: or(asText, ''),
      startsAs: asNumber,
      firstNumber: or(asNumber, 0),
      principal: or(asNumber, 0),
      interest: or(asNumber, 0),
      isDistressed: asFlag,
      rateBasisPoints: or(asNumber, 0),
      schedule: or(asText, ''),
      period: or(asText, ''),
      dayCount: or(asText, ''),
      instalments: or(asNumber, 0),
      dueDay: or(asNumber, 1),
      firstDueOn: asText,
      why: or(asText, ''),
    } satisfies Shape<Story['restructurings'][number]>),
  ),
  collateral: readCollateral,
  documents: readDocuments,
  updates: readUpdates,
  closedFor: asText,
  refinancedById: asText,
  yearlyRate: asNumber,
  repayments: list(
    record({
      id: or(asText, ''),
      valueOn: asText,
      reference: or(asText, ''),
      principal: or(asNumber, 0),
      interest: or(asNumber, 0),
      recovered: or(asNumber, 0),
      toReserve: or(asNumber, 0),
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
  evidence: asText,
  networkName: asText,
} satisfies Shape<Story>)

export type ShownLoan = ReturnType<typeof readStory>
export type LoanLine = ShownLoan['lines'][number]
export type ShownRepayment = ShownLoan['repayments'][number]
export type ShownTerms = ShownLoan['restructurings'][number]

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

/** Names the address that a batch pays a loan to, as the first of two. */
export const useAskSending = (otherwise: string) =>
  useStep(async ({ id, ...payload }: OfLoan & Payload<typeof contract.askSending>) => {
    requireIdentity()
    await call(contract.askSending, { params: { id }, payload, texts: { otherwise } })
  })

/** Asks to free the money that is reserved for a loan. */
export const useAskRelease = (otherwise: string) =>
  useStep(async ({ id, reason }: OfLoan & { readonly reason: string }) => {
    requireIdentity()
    const params = { id }
    await call(contract.askRelease, { params, payload: { reason }, texts: { otherwise } })
  })

/** The proposal that a second person approves, or null where one person sufficed. */
const proposalIn = (data: unknown): string | null => asText(asRecord(data)?.proposalId)

/** Records a repayment, or asks a second person. Returns their proposal. */
export const useRepay = (otherwise: string) =>
  useStep(
    async (
      { id, ...payload }: OfLoan & Payload<typeof contract.repayLoan>,
      idempotencyKey: string,
    ) => {
      requireIdentity()
      const texts = { otherwise }
      const sent = { params: { id }, payload, texts, idempotencyKey }
      return proposalIn((await call(contract.repayLoan, sent)).data)
    },
  )

/** Takes a repayment back, with a reason. The id is that of the repayment. */
export const useReverseRepayment = (otherwise: string) =>
  useStep(async ({ id, reason }: OfLoan & { readonly reason: string }) => {
    requireIdentity()
    const sent = { params: { id }, payload: { reason }, texts: { otherwise } }
    return proposalIn((await call(contract.reverseRepayment, sent)).data)
  })

/** Asks a second person to place the later repayments of a loan anew. */
export const useRecount = (otherwise: string) =>
  useStep(async ({ id, reason }: OfLoan & { readonly reason: string }) => {
    requireIdentity()
    await call(contract.recountLoan, { params: { id }, payload: { reason }, texts: { otherwise } })
  })

/** Says why a borrower is unlikely to pay, as the first of two. */
export const useAskDefault = (otherwise: string) =>
  useStep(async ({ id, reason }: OfLoan & { readonly reason: string }) => {
    requireIdentity()
    await call(late.askDefault, { params: { id }, payload: { reason }, texts: { otherwise } })
  })

/** Asks another super admin to write off what a loan in default owes. */
export const useAskLoanWriteOff = (otherwise: string) =>
  useStep(async ({ id, ...payload }: OfLoan & Payload<typeof late.askLoanWriteOff>) => {
    requireIdentity()
    await call(late.askLoanWriteOff, { params: { id }, payload, texts: { otherwise } })
  })

/** Says what came back of a loan that was written off, as the first of two. */
export const useAskRecovery = (otherwise: string) =>
  useStep(async ({ id, ...payload }: OfLoan & Payload<typeof late.askRecovery>) => {
    requireIdentity()
    await call(late.askRecovery, { params: { id }, payload, texts: { otherwise } })
  })

/** Asks for new terms, as the first of two. */
export const useAskTerms = (otherwise: string) =>
  useStep(async ({ id, ...payload }: OfLoan & Payload<typeof late.askRestructuring>) => {
    requireIdentity()
    await call(late.askRestructuring, { params: { id }, payload, texts: { otherwise } })
  })

/** Ends an application before its disbursement. */
export const useCloseLoan = (otherwise: string) =>
  useStep(async ({ id, ...payload }: OfLoan & Payload<typeof contract.closeLoan>) => {
    requireIdentity()
    await call(contract.closeLoan, { params: { id }, payload, texts: { otherwise } })
  })
