import type { Body } from '@pool/contract/base/endpoint'
import { callFailed } from '@pool/contract/base/messages'
import { approvalLimits } from '@pool/contract/money/limits'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asNumber, record, type Shape } from '../http/reading.ts'

/** The limits of one approver, in dollars; null for a figure that was not sent. */
const readLimits = record({
  perPerson: asNumber,
  perPool: asNumber,
  decidedByYou: asNumber,
  decidedByAll: asNumber,
  staff: asNumber,
} satisfies Shape<Body<typeof approvalLimits>>)

/** The caller's limits and their use. */
export const useApprovalLimits = () =>
  useQuery({
    // Under `figures`, so no decision waits for it.
    queryKey: ['figures', 'limits'],
    queryFn: async ({ signal }) =>
      readLimits(
        (await call(approvalLimits, { signal, texts: { otherwise: callFailed.dashboard } })).data,
      ),
  })
