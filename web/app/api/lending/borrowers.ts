/** The people and companies that the pool lends to. Only staff make these calls. */
import type { Payload } from '@pool/contract/base/endpoint'
import {
  type Borrower,
  type BorrowerStory,
  borrowerStory,
  correctBorrower,
  listBorrowers,
  recordBorrower,
} from '@pool/contract/lending/borrowers'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, requireIdentity } from '../http/client.ts'
import { ApiError } from '../http/errors.ts'
import { listSource } from '../http/lists.ts'
import {
  asMoment,
  asNumber,
  asRecord,
  asText,
  list,
  or,
  record,
  type Shape,
} from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'
import { readDocuments } from './loanRecords.ts'

const KEY = ['borrowers']

const read = record({
  id: or(asText, ''),
  name: or(asText, ''),
  country: or(asText, ''),
  kind: or(asText, ''),
  relation: or(asText, 'none'),
  userId: asText,
  userEmail: asText,
  grade: or(asText, ''),
  gradeReason: or(asText, ''),
  gradedAt: asMoment,
  outstanding: asNumber,
  loans: or(asNumber, 0),
  recordedAt: asMoment,
} satisfies Shape<Borrower>)

/** A borrower as the screens show it. */
export type ShownBorrower = ReturnType<typeof read>

const readStory = record({
  borrower: read,
  grades: list(
    record({
      grade: or(asText, ''),
      reason: or(asText, ''),
      by: or(asText, ''),
      at: asMoment,
    } satisfies Shape<BorrowerStory['grades'][number]>),
  ),
  documents: readDocuments,
} satisfies Shape<BorrowerStory>)

export type ShownBorrowerStory = ReturnType<typeof readStory>

/** The borrowers by pages of the server. */
export const borrowerList = listSource({
  noun: 'borrowers',
  endpoint: listBorrowers,
  read,
  texts: { otherwise: '' },
})

/** One borrower with each grade and the documents. Null is asked for none. */
export const useBorrower = (id: string | null, otherwise: string) =>
  useQuery({
    queryKey: [...KEY, 'one', id],
    enabled: id !== null,
    queryFn: async ({ signal }) => {
      const params = { id: id ?? '' }
      return readStory((await call(borrowerStory, { params, signal, texts: { otherwise } })).data)
    },
  })

/** True if there is no such borrower. */
export const isNoBorrower = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'borrowerNotFound'

/** Records a borrower, and returns its id. */
export const useRecordBorrower = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(async (payload: Payload<typeof recordBorrower>) => {
      requireIdentity()
      const { data } = await call(recordBorrower, { payload, texts: { otherwise } })
      return asText(asRecord(data)?.id) ?? ''
    }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  })
}

/** Corrects the record of a borrower, with a reason, and returns its id. */
export const useCorrectBorrower = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(
      async ({ id, ...payload }: { readonly id: string } & Payload<typeof correctBorrower>) => {
        requireIdentity()
        await call(correctBorrower, { params: { id }, payload, texts: { otherwise } })
        return id
      },
    ),
    onSettled: () =>
      Promise.all([KEY, ['loans']].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}
