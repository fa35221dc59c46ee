/** The operator's capital, for staff only. */
import { type Capital, readCapital } from '@pool/contract/coins/capital'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asMoment, asNumber, asText, list, or, record, type Shape } from '../http/reading.ts'

const text = or(asText, '')

const readPayment = record({
  id: text,
  network: text,
  evidence: text,
  address: text,
  asset: text,
  coins: text,
  dollars: asNumber,
  seenAt: asMoment,
} satisfies Shape<Capital['payments'][number]>)
/** A payment that may be capital, as the screen shows it. */
export type CapitalPayment = ReturnType<typeof readPayment>

const read = record({
  putIn: or(asNumber, 0),
  takenOut: or(asNumber, 0),
  followed: list(text),
  payments: list(readPayment),
} satisfies Shape<Capital>)

/** Capital put in and taken out. `otherwise` is said of a failure without a sentence. */
export const useCapital = (otherwise: string) =>
  useQuery({
    queryKey: ['reconciliation', 'capital'],
    queryFn: async ({ signal }) =>
      read((await call(readCapital, { signal, texts: { otherwise } })).data),
  })
