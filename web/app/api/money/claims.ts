/** Deposits that their network took back, for staff only. */
import { type Claim, listClaims } from '@pool/contract/money/claims'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asMoment, asNumber, asText, list, or, record, type Shape } from '../http/reading.ts'

const read = record({
  depositId: or(asText, ''),
  userId: or(asText, ''),
  userEmail: or(asText, ''),
  amount: or(asNumber, 0),
  open: or(asNumber, 0),
  writtenOff: or(asNumber, 0),
  basis: or(asText, ''),
  at: asMoment,
} satisfies Shape<Claim>)

/** A claim as the screen shows it. */
export type ShownClaim = ReturnType<typeof read>

/** The newest claims. `otherwise` is said of a failure without a sentence. */
export const useClaims = (otherwise: string) =>
  useQuery({
    queryKey: ['claims'],
    queryFn: async ({ signal }) =>
      list(read)((await call(listClaims, { signal, texts: { otherwise } })).data),
  })
