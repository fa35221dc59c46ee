/** Keys with which programs read the own records (docs/product.md 3.42). */
import * as contract from '@pool/contract/accounts/readingKeys'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asMoment, asRecord, asText, list, or, record, type Shape } from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'

/** A use is recorded each half a minute, in milliseconds. */
const ASKED_EVERY = 30_000

const queryKey = ['readingKeys']

const readKey = record({
  id: or(asText, ''),
  name: or(asText, ''),
  madeAt: asMoment,
  endsAt: asMoment,
  lastUsedAt: asMoment,
} satisfies Shape<contract.ReadingKey>)
export type ReadingKeyRow = ReturnType<typeof readKey>

/** The living keys, the newest first. */
export const useReadingKeys = (otherwise: string) =>
  useQuery({
    queryKey,
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      list(readKey)((await call(contract.listReadingKeys, { signal, texts: { otherwise } })).data),
  })

/** Makes a key and returns it, which is told this once. */
export const useMakeReadingKey = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(async (payload: { readonly name: string; readonly days: number }) => {
      const { data } = await call(contract.makeReadingKey, { payload, texts: { otherwise } })
      return asText(asRecord(data)?.key) ?? ''
    }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}

/** Ends the key with this id. */
export const useEndReadingKey = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      call(contract.endReadingKey, { params: { id }, texts: { otherwise } }),
    // Also after a refusal, since the key may have ended by itself.
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}
