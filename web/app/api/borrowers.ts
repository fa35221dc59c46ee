/** The people and companies that the pool lends to. Only staff make these calls. */
import {
  type Borrower,
  correctBorrower,
  listBorrowers,
  recordBorrower,
} from '@pool/contract/borrowers'
import type { Payload } from '@pool/contract/endpoint'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, requireIdentity } from './http/client.ts'
import {
  asMoment,
  asNumber,
  asRecord,
  asText,
  list,
  or,
  record,
  type Shape,
} from './http/reading.ts'
import { useSubmit } from './http/submit.ts'

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
} satisfies Shape<Borrower>)

/** A borrower as the screens show it. */
export type ShownBorrower = ReturnType<typeof read>

/** The borrowers by name. */
export const useBorrowers = (otherwise: string) =>
  useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      list(read)((await call(listBorrowers, { signal, texts: { otherwise } })).data),
  })

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
