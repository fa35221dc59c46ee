/** Collateral, documents and updates of loans and borrowers. */
import type { Payload } from '@pool/contract/base/endpoint'
import * as contract from '@pool/contract/lending/loanRecords'
import type { LoanStory } from '@pool/contract/lending/loans'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, requireIdentity } from '../http/client.ts'
import { asMoment, asNumber, asText, list, or, record, type Shape } from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'

const standing = {
  id: or(asText, ''),
  recordedBy: or(asText, ''),
  at: asMoment,
  withdrawnFor: asText,
  withdrawnBy: asText,
  withdrawnAt: asMoment,
}

export const readCollateral = list(
  record({
    ...standing,
    description: or(asText, ''),
    value: asNumber,
    valuedOn: asText,
  } satisfies Shape<LoanStory['collateral'][number]>),
)

export const readDocuments = list(
  record({
    ...standing,
    title: or(asText, ''),
    sha256: or(asText, ''),
    link: or(asText, ''),
  } satisfies Shape<contract.LoanDocument>),
)

export const readUpdates = list(
  record({
    id: or(asText, ''),
    text: or(asText, ''),
    by: or(asText, ''),
    at: asMoment,
  } satisfies Shape<LoanStory['updates'][number]>),
)

export type ShownCollateral = ReturnType<typeof readCollateral>[number]
export type ShownDocument = ReturnType<typeof readDocuments>[number]
export type ShownUpdate = ReturnType<typeof readUpdates>[number]

/** A change of what is on record. Loans and borrowers are loaded again, also after a refusal. */
const useChange = <Change>(send: (change: Change) => Promise<unknown>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(send),
    onSettled: () =>
      Promise.all(
        ['loans', 'borrowers'].map((word) => client.invalidateQueries({ queryKey: [word] })),
      ),
  })
}

type OfLoan = { readonly id: string }

export const useAddCollateral = (otherwise: string) =>
  useChange(async ({ id, ...payload }: OfLoan & Payload<typeof contract.addCollateral>) => {
    requireIdentity()
    await call(contract.addCollateral, { params: { id }, payload, texts: { otherwise } })
  })

/** The subject of a document. */
export type Documented = { readonly kind: 'loan' | 'borrower'; readonly id: string }

export const useAddDocument = (otherwise: string) =>
  useChange(
    async ({ kind, id, ...payload }: Documented & Payload<typeof contract.addLoanDocument>) => {
      requireIdentity()
      const sent = { params: { id }, payload, texts: { otherwise } }
      await (kind === 'loan'
        ? call(contract.addLoanDocument, sent)
        : call(contract.addBorrowerDocument, sent))
    },
  )

/** Marks a record as withdrawn, with a reason. The id is that of the record. */
export const useWithdraw = (kind: 'collateral' | 'document', otherwise: string) =>
  useChange(async ({ id, reason }: { readonly id: string; readonly reason: string }) => {
    requireIdentity()
    const sent = { params: { id }, payload: { reason }, texts: { otherwise } }
    await (kind === 'collateral'
      ? call(contract.withdrawCollateral, sent)
      : call(contract.withdrawDocument, sent))
  })

export const useWriteUpdate = (otherwise: string) =>
  useChange(async ({ id, text }: OfLoan & { readonly text: string }) => {
    requireIdentity()
    await call(contract.writeUpdate, { params: { id }, payload: { text }, texts: { otherwise } })
  })
