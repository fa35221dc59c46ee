/** Coins that the operator's nodes saw, for staff only. */
import { listPayments, type Payment } from '@pool/contract/coins/payments'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asFlag, asText, list, or, record, type Shape } from '../http/reading.ts'
import { sharedFields } from './paymentFields.ts'

const read = record({
  ...sharedFields,
  network: or(asText, ''),
  address: or(asText, ''),
  userId: asText,
  isOwn: asFlag,
  depositId: asText,
} satisfies Shape<Payment>)

/** A payment as the screen shows it. */
export type SeenPayment = ReturnType<typeof read>

/** The interval of the query in milliseconds. Nodes are asked every ten seconds by default. */
const ASKED_EVERY = 10_000

/** The newest payments. `otherwise` is said of a failure without a sentence. */
export const useSeenPayments = (otherwise: string) =>
  useQuery({
    queryKey: ['chainPayments'],
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      list(read)((await call(listPayments, { signal, texts: { otherwise } })).data),
  })
