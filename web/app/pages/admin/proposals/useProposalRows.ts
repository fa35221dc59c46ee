import {
  type QueuedProposal,
  queuedByStaff,
  queuedProposals,
} from '../../../api/agreements/proposals.ts'
import { useSessionUser } from '../../../session/store.ts'
import type { QueueList } from '../queue/rows.ts'
import { useWaitingRows } from '../queue/useWaitingRows.ts'

/** The proposals that wait for a second person. Admins get those about loans alone. */
export const useProposalRows = (seesProposals: boolean): QueueList<QueuedProposal> => {
  const me = useSessionUser()?.id
  return useWaitingRows<QueuedProposal>({
    source: seesProposals ? queuedProposals : queuedByStaff,
    query: {},
    // Each is read before it is approved, so none is selected.
    factsOf: ({ status, askedById }) => ({
      waitsForMe: status === 'PENDING' && askedById !== me,
      isReady: false,
      isFlagged: false,
    }),
  })
}
