/** Watch-only keys, from which deposit addresses are derived. */
import {
  type AddressKey,
  addKey,
  endKey,
  keyProblems,
  listKeys,
  type ReadKey,
  readKey,
} from '@pool/contract/chain/addressKeys'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, requireIdentity } from '../http/client.ts'
import { ApiError } from '../http/errors.ts'
import {
  asMoment,
  asNumber,
  asRecord,
  asText,
  list,
  oneOf,
  or,
  record,
  type Shape,
} from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'
import { isAsked } from './wallets.ts'

const readRow = record({
  id: or(asText, ''),
  networkName: or(asText, ''),
  key: or(asText, ''),
  fingerprint: asText,
  nextIndex: or(asNumber, 0),
  ahead: or(asNumber, 0),
  unpaid: or(asNumber, 0),
  addedBy: or(asText, ''),
  dateCreated: asMoment,
} satisfies Shape<AddressKey>)
export type KeyRow = ReturnType<typeof readRow>

/** The keys in force. A change of wallets loads them again. */
export const useKeys = (otherwise: string) =>
  useQuery({
    queryKey: ['wallets', 'keys'],
    queryFn: async ({ signal }) =>
      list(readRow)((await call(listKeys, { signal, texts: { otherwise } })).data),
  })

const readFacts = record({
  networkName: or(asText, ''),
  key: or(asText, ''),
  fingerprint: asText,
  addresses: (value: unknown): readonly string[] =>
    (Array.isArray(value) ? value : []).flatMap((each) => asText(each) ?? []),
} satisfies Shape<ReadKey>)

type Pasted = { readonly networkName: string; readonly key: string }

/** The fingerprint and the first addresses of a pasted key. Null sends nothing. */
export const useReadKey = (pasted: Pasted | null, otherwise: string) =>
  useQuery({
    queryKey: ['readKey', pasted],
    enabled: pasted !== null,
    retry: false,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const payload = pasted ?? { networkName: '', key: '' }
      return readFacts((await call(readKey, { payload, signal, texts: { otherwise } })).data)
    },
  })

/** The reason why a key was refused, or null for any other failure. */
export const problemOf = (error: unknown) =>
  error instanceof ApiError && error.code === 'badKey'
    ? oneOf(Object.keys(keyProblems) as (keyof typeof keyProblems)[])(
        asRecord(error.details)?.problem,
      )
    : null

/** Sends a change of keys. True if it waits for a second member of staff. */
const useChange = <Payload>(send: (payload: Payload) => Promise<{ readonly data: unknown }>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(async (payload: Payload) => {
      requireIdentity()
      return isAsked((await send(payload)).data)
    }),
    onSettled: () =>
      Promise.all(
        ['wallets', 'stock', 'waiting'].map((word) =>
          client.invalidateQueries({ queryKey: [word] }),
        ),
      ),
  })
}

export const useAddKey = (otherwise: string) =>
  useChange((payload: Pasted) => call(addKey, { payload, texts: { otherwise } }))

export const useEndKey = (otherwise: string) =>
  useChange((id: string) => call(endKey, { params: { id }, texts: { otherwise } }))
