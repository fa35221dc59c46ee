/** The end of the pool, for staff only. */
import { readWindDown, type WindDown } from '@pool/contract/lending/windDown'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asMoment, asNumber, asText, list, or, record, type Shape } from '../http/reading.ts'

const dollars = or(asNumber, 0)

const readRepayments = record({
  count: dollars,
  amount: dollars,
  mark: or(asText, ''),
  largest: list(record({ reference: or(asText, ''), amount: dollars })),
} satisfies Shape<WindDown['repayments']>)

const readProgress = record({
  since: asMoment,
  lastMaturity: asMoment,
  claimsUntil: asMoment,
  invested: dollars,
  committed: dollars,
  held: dollars,
  outgoing: dollars,
  available: dollars,
  holders: dollars,
  outstanding: dollars,
  reserve: dollars,
  owed: dollars,
  capital: dollars,
  taken: dollars,
  repayments: readRepayments,
} satisfies Shape<WindDown>)

/** The wind-down as the screen shows it. */
export type ShownWindDown = ReturnType<typeof readProgress>

/** The sums that are left to pay. `otherwise` is said of a failure without a sentence. */
export const useWindDown = (otherwise: string) =>
  useQuery({
    queryKey: ['windDown'],
    queryFn: async ({ signal }) =>
      readProgress((await call(readWindDown, { signal, texts: { otherwise } })).data),
  })
