import { Refusal } from '@pool/contract/base/refusals'
import { approveProposal } from '../agreements/proposals/decide.ts'

/** Approves a proposal two times at once. Throws unless one call alone did. */
export const approveTwice = async (...asked: Parameters<typeof approveProposal>): Promise<void> => {
  const both = await Promise.allSettled([approveProposal(...asked), approveProposal(...asked)])
  const [refused, ...others] = both.flatMap((each) =>
    each.status === 'rejected' ? [each.reason] : [],
  )
  const isClosed = refused instanceof Refusal && refused.code === 'proposalClosed'
  if (!isClosed || others.length > 0)
    throw refused ?? new Error('a proposal was approved two times')
}
