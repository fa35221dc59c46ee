/** The steps of staff about a loan, each with the reason if the server would not take it. */
import type { ShownLoan, ShownRepayment } from '../../../api/lending/loans.ts'

export const loanSteps = [
  'approve',
  'disburse',
  'release',
  'repay',
  'recover',
  'payOff',
  'newTerms',
  'refinance',
  'default',
  'writeOff',
  'close',
] as const
export type LoanStep = (typeof loanSteps)[number]

/** The steps of each state, the next one first. */
const ofStatus: Readonly<Record<string, readonly LoanStep[]>> = {
  APPLIED: ['approve', 'close'],
  APPROVED: ['disburse', 'close'],
  SENDING: ['release'],
  ACTIVE: ['repay', 'payOff', 'newTerms', 'refinance', 'default'],
  DEFAULTED: ['repay', 'payOff', 'refinance', 'writeOff'],
  WRITTEN_OFF: ['recover'],
}

/** The proposals that begin each step of two people. */
const proposalsOf: Partial<Readonly<Record<LoanStep, readonly string[]>>> = {
  approve: ['APPROVE_LOAN'],
  disburse: ['DISBURSE_LOAN', 'SEND_LOAN'],
  release: ['RELEASE_LOAN'],
  newTerms: ['RESTRUCTURE_LOAN'],
  default: ['DEFAULT_LOAN'],
  writeOff: ['WRITE_OFF_LOAN'],
  recover: ['RECOVER_LOAN'],
}

/** Each reason has its sentence, `off.…` of i18n/loans. */
export type OffReason =
  | 'own'
  | 'waits'
  | 'superAdmin'
  | 'alone'
  | 'refinanced'
  | 'recovered'
  | 'writtenOff'
  | 'before'
  | 'batched'

type Me = { readonly id: string; readonly role: string }

export type StepFacts = {
  readonly story: Pick<ShownLoan, 'loan' | 'refinancedById'>
  readonly me: Me
  /** The kinds of proposals about it that wait for a second person. */
  readonly waiting: readonly string[]
  /** True if no other person could agree. */
  readonly isAlone: boolean
}

const reasonOf = (step: LoanStep, { story, me, waiting, isAlone }: StepFacts): OffReason | null => {
  const { loan, refinancedById } = story
  if (loan.borrowerAccounts.includes(me.id) && step !== 'refinance') return 'own'
  // A proposal would outlive the application.
  if (step === 'close' && waiting.length > 0) return 'waits'
  if (step === 'recover' && loan.recovered >= loan.writtenOff) return 'recovered'
  const kinds = proposalsOf[step]
  if (kinds?.some((kind) => waiting.includes(kind))) return 'waits'
  if (step === 'release' && loan.sending?.batchId) return 'batched'
  if (step === 'writeOff' && me.role !== 'SUPER_ADMIN') return 'superAdmin'
  if (kinds && isAlone) return 'alone'
  return step === 'refinance' && refinancedById !== null ? 'refinanced' : null
}

/** A step that the state of a loan has. */
export type Offer = { readonly step: LoanStep; readonly off: OffReason | null }

/** The steps of a loan in its state. Each other state has none of them. */
export const offersOf = (facts: StepFacts): readonly Offer[] => {
  const { status, nextDueOn } = facts.story.loan
  // A repaid loan owes interest again once a repayment of interest alone was reversed.
  const again: readonly LoanStep[] = status === 'REPAID' && nextDueOn !== null ? ['repay'] : []
  const steps = Object.hasOwn(ofStatus, status) ? (ofStatus[status] ?? []) : again
  return steps.map((step) => ({ step, off: reasonOf(step, facts) }))
}

/** Why a repayment or a recovery cannot be reversed, or null. */
export const whyKept = (
  { loan, events }: Pick<ShownLoan, 'loan' | 'events'>,
  { recovered, at }: Pick<ShownRepayment, 'recovered' | 'at'>,
  me: Me,
): OffReason | null => {
  if (loan.borrowerAccounts.includes(me.id)) return 'own'
  if (recovered > 0) return null
  if (loan.status === 'WRITTEN_OFF') return 'writtenOff'
  const changed = events.findLast(({ what }) => what === 'restructured')?.at
  return changed && at && at < changed ? 'before' : null
}
