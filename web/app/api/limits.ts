import type { Body } from '@pool/contract/endpoint'
import { approvalLimits } from '@pool/contract/limits'
import { callFailed } from '@pool/contract/messages'
import { useQuery } from '@tanstack/react-query'
import { call } from './http/client.ts'
import { asNumber, record, type Shape } from './http/reading.ts'

/** What one member of staff may decide alone, in dollars; null where the server sent nothing. */
const readLimits = record({
  perPerson: asNumber,
  decidedByYou: asNumber,
  staff: asNumber,
} satisfies Shape<Body<typeof approvalLimits>>)

/** The limits for the member of staff who asks, and how much of them is used. */
export const useApprovalLimits = () =>
  useQuery({
    // A figure: no decision waits until it is loaded again.
    queryKey: ['figures', 'limits'],
    queryFn: async ({ signal }) =>
      readLimits(
        (await call(approvalLimits, { signal, texts: { otherwise: callFailed.dashboard } })).data,
      ),
  })
