/** Coins that arrived and that no payment shows, for staff only. */
import { listUnseen, settleUnseen, type UnseenArrival } from '@pool/contract/coins/unseen'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, requireIdentity } from '../http/client.ts'
import { asMoment, asNumber, asText, list, or, record, type Shape } from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'

const read = record({
  id: or(asText, ''),
  network: or(asText, ''),
  address: or(asText, ''),
  userId: asText,
  asset: or(asText, ''),
  amount: or(asText, ''),
  above: asNumber,
  height: asNumber,
  foundAt: asMoment,
  settledAt: asMoment,
  settledBy: asText,
  reason: asText,
} satisfies Shape<UnseenArrival>)

/** An arrival as the screen shows it. */
export type Unseen = ReturnType<typeof read>

const KEY = ['unseenArrivals']

/** The interval of the query in milliseconds. Balances are compared each hour. */
const ASKED_EVERY = 60_000

/** Arrivals that wait for staff, then settled ones. */
export const useUnseen = (otherwise: string) =>
  useQuery({
    queryKey: KEY,
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      list(read)((await call(listUnseen, { signal, texts: { otherwise } })).data),
  })

type Settling = { readonly id: string; readonly reason: string }

/** Settles an arrival with a reason. */
export const useSettleUnseen = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(async ({ id, reason }: Settling) => {
      requireIdentity()
      await call(settleUnseen, { params: { id }, payload: { reason }, texts: { otherwise } })
    }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  })
}
