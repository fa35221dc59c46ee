/** The shape of every proposal about a loan, which takes two people (docs/decisions/057, 060). */
import type { PayloadOf, ProposalKind } from '@pool/contract/agreements/proposals'
import { formatDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import type { WithConfig } from '../../http/context.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import type { Posts, Proposal, Rules, Work } from './kind.ts'

type LoanKind = Extract<ProposalKind, `${string}_LOAN` | 'REVERSE_REPAYMENT'>
type Values = Readonly<Record<string, unknown>>

type Shape<Kind extends LoanKind> = {
  /** The facts that people compare beside borrower and amount. */
  readonly compared?: (payload: PayloadOf<Kind>) => Values
} & Effect<Kind>

/** The rows that an approval writes, or what it requires and posts. */
type Effect<Kind extends LoanKind> =
  | { readonly apply: (work: Work, proposal: Proposal<Kind>) => Promise<void> }
  | {
      readonly requires?: (work: Work, proposal: Proposal<Kind>) => Promise<unknown>
      readonly posts: (work: OnLoan, proposal: Proposal<Kind>) => Promise<Posts> | Posts
    }

/** The parts by which an operation of a loan is made. */
export type OnLoan = OnRecord & WithConfig & Pick<Work, 'by'>

/** The fields of every loan's payload. */
type Common = {
  readonly loanId: string
  readonly userId: string | null
  readonly borrower: string
  readonly amount: number
  readonly fromInvestors?: number | undefined
}

/** The rules of a kind. Related parties and others alike take two: `loanNeedsTwo`. */
export const ofLoans = <Kind extends LoanKind>({
  compared = () => ({}),
  ...effect
}: Shape<Kind>): Rules<Kind> => {
  const common = (payload: PayloadOf<Kind>) => payload as unknown as Common
  return {
    evenClosed: true,
    own: 'ownLoan',
    on: (payload) => common(payload).loanId,
    about: (payload) => ({ subject: common(payload).loanId, userId: common(payload).userId }),
    facts: (payload) => {
      const { loanId, borrower, amount, fromInvestors = 0 } = common(payload)
      return {
        loanId,
        borrower,
        amount: formatDollars(amount),
        ...compared(payload),
        fromInvestors: formatDollars(fromInvestors),
      }
    },
    ...effectOf<Kind>(effect),
  }
}

const needsTwo = 'loanNeedsTwo'

const effectOf = <Kind extends LoanKind>(effect: Effect<Kind>) =>
  'apply' in effect
    ? {
        apply: async (work: Work, proposal: Proposal<Kind>) => {
          if (proposal.alone) throw refusal(needsTwo)
          await effect.apply(work, proposal)
        },
      }
    : ({
        needsTwo,
        ...(effect.requires && { requires: effect.requires }),
        posts: ({ transaction, context: { keys, config }, by }: Work, proposal: Proposal<Kind>) =>
          effect.posts({ db: transaction, keys, config, by }, proposal),
      } as const)
