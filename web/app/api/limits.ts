import { approvalLimits } from '@pool/contract/limits'
import { callFailed } from '@pool/contract/messages'
import { useQuery } from '@tanstack/react-query'
import { call } from './http/client.ts'
import { asNumber, asRecord } from './http/reading.ts'

/**
 * What one member of staff may decide alone in 24 hours, in dollars; null where the server sent
 * nothing.
 */
export type ApprovalLimits = Readonly<Record<'perPerson' | 'decidedByYou' | 'staff', number | null>>

/** The limits for the member of staff who asks, and how much of them is used. */
export const useApprovalLimits = () =>
  useQuery({
    // A figure: no decision waits until it is loaded again.
    queryKey: ['figures', 'limits'],
    queryFn: async ({ signal }): Promise<ApprovalLimits> => {
      const { data } = await call(approvalLimits, {
        signal,
        texts: { otherwise: callFailed.dashboard },
      })
      const fields = asRecord(data)
      return {
        perPerson: asNumber(fields?.perPerson),
        decidedByYou: asNumber(fields?.decidedByYou),
        staff: asNumber(fields?.staff),
      }
    },
  })
