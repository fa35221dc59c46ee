import { isOfLoans, useProposals } from '../../../api/agreements/proposals.ts'
import { useOpenStaffProposals } from '../../../api/agreements/staffProposals.ts'
import type { ShownLoan } from '../../../api/lending/loans.ts'
import { useApprovalLimits } from '../../../api/money/limits.ts'
import { seesAccounts, useSessionUser } from '../../../session/store.ts'
import { type Offer, offersOf } from './steps.ts'

/** Proposals about a loan that wait for a second person. Super admins alone know write-offs. */
export const useWaitingAbout = (id: string) => {
  const user = useSessionUser()
  const { data: ofStaff = [] } = useOpenStaffProposals()
  const enabled = user !== null && seesAccounts(user)
  const { data: others = [] } = useProposals(undefined, { enabled })
  const all = [...ofStaff, ...others.filter(({ status }) => status === 'PENDING')]
  const about = all.filter(({ kind, facts }) => isOfLoans(kind) && facts.loanId === id)
  return [...new Map(about.map((proposal) => [proposal.id, proposal])).values()]
}

/** The steps of a loan for the person who looks at it. */
export const useOffers = (story: ShownLoan): readonly Offer[] => {
  const me = useSessionUser() ?? { id: '', role: '' }
  const waiting = useWaitingAbout(story.loan.id).map(({ kind }) => kind)
  const isAlone = useApprovalLimits().data?.staff === 1
  return offersOf({ story, me, waiting, isAlone })
}
