/** The dollars that each coin counts as, for staff. */

import { rateSources } from '@pool/contract/chain/rateSources'
import {
  type CoinRate,
  listRates,
  priceProblems,
  rateStates,
  setRate,
} from '@pool/contract/chain/rates'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, requireIdentity } from '../http/client.ts'
import {
  asFlag,
  asMoment,
  asRecord,
  asText,
  list,
  oneOf,
  or,
  record,
  type Shape,
} from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'

type PriceReading = NonNullable<CoinRate['reading']>

const reading = record({
  at: asMoment,
  problem: oneOf(priceProblems),
  prices: list(
    record({ host: or(asText, ''), dollars: asText } satisfies Shape<
      PriceReading['prices'][number]
    >),
  ),
} satisfies Shape<PriceReading>)

const readRate = record({
  coin: or(asText, ''),
  dollars: asText,
  source: oneOf(rateSources),
  at: asMoment,
  setBy: asText,
  isDollar: asFlag,
  state: (value) => oneOf(rateStates)(value) ?? ('none' as const),
  reading: (value) => (asRecord(value) ? reading(value) : null),
} satisfies Shape<CoinRate>)
export type RateRow = ReturnType<typeof readRate>

const KEY = ['rates']

/** The interval of the query in milliseconds. Prices are read each minute. */
const ASKED_EVERY = 30_000

/** The newest rate of each coin. */
export const useRates = (otherwise: string) =>
  useQuery({
    queryKey: KEY,
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      list(readRate)((await call(listRates, { signal, texts: { otherwise } })).data),
  })

type Setting = { readonly coin: string; readonly dollars: string }

/** Sets a rate. True if it waits for a second member of staff. */
export const useSetRate = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(async ({ coin, dollars }: Setting) => {
      requireIdentity()
      // The coins are those of the server's list.
      const payload = { coin: coin as CoinRate['coin'], dollars }
      const { data } = await call(setRate, { payload, texts: { otherwise } })
      return asFlag(asRecord(data)?.waits)
    }),
    onSettled: () =>
      Promise.all(
        ['rates', 'waiting'].map((word) => client.invalidateQueries({ queryKey: [word] })),
      ),
  })
}
