/** The refusals about loans, for the catalogue of refusals.ts. */
import { formatDollars } from '../base/money.ts'
import type { TakesTwo } from '../money/limits.ts'
import type { TermsProblem } from './loanTerms.ts'
import { windDownRefusals } from './windDownRefusals.ts'

/** The sentence of each problem of terms. */
export const termsSentences: Readonly<Record<TermsProblem, string>> = {
  dateFar: 'The days of a loan must be in the years 2000 to 2099.',
  firstBefore: 'The first instalment must be due after the disbursement.',
  firstLate: 'The first instalment must be due within 366 days of the disbursement.',
  dueDayApart: 'The first instalment must be due on the due day of its month.',
  tooMany: 'Each instalment needs at least one cent. Please choose fewer instalments.',
  lastLarge:
    'Rounded to cents, the last instalment would be more than twice the others. Please choose fewer instalments.',
  takenOverApart: 'A loan is taken over between its disbursement and today.',
}

/** A status within a sentence. */
const statusWords = (status: string): string =>
  status === 'DEFAULTED' ? 'in default' : status.toLowerCase().replace('_', ' ')

const define = (status: number, sentence: string) => ({
  status,
  narration: (_: undefined): string => sentence,
})

export const loanRefusals = {
  badTerms: {
    status: 400,
    narration: ({ problem }: { problem: TermsProblem }) => termsSentences[problem],
  },
  borrowerNotFound: define(404, 'Borrower not found.'),
  relatedUnnamed: define(
    400,
    'A borrower of the staff must be named by the email of their account, so that they never decide about an own loan.',
  ),
  accountStays: define(
    409,
    'This borrower has loans, so the account stays: its owner never decides about them.',
  ),
  relationStays: define(
    409,
    'This borrower has loans, so the relation stays: loans of related parties count together.',
  ),
  loanNotFound: define(404, 'Loan not found.'),
  collateralNotFound: define(404, 'Collateral not found.'),
  documentNotFound: define(404, 'Document not found.'),
  recordWithdrawn: define(409, 'This was withdrawn already.'),
  loanIs: {
    status: 409,
    narration: ({ status }: { status: string }) =>
      `This cannot be done: the loan is ${statusWords(status)}.`,
  },
  ownLoan: define(403, 'You cannot decide about your own loan. Other members of staff must do it.'),
  loanNeedsTwo: define(
    409,
    'A loan takes two people, and no other member of staff can approve it. Ask a super admin to give the role to another person.',
  ),
  /** Screens ask a second person in place of it. */
  takesTwo: {
    status: 409,
    narration: ({ why }: { why: TakesTwo }) => {
      if (why === 'oldDay') return 'A value date of more than three days ago takes two people.'
      return why === 'unseen'
        ? 'The product completes this once its node shows the payment. Before that it takes two people.'
        : 'This is above what one person decides alone in 24 hours, so it takes two people.'
    },
  },
  completionNeedsTwo: define(
    409,
    'This takes two people, and no other member of staff can approve it. Ask a super admin to give the role to another person.',
  ),
  lendingNeedsSuperAdmin: define(
    409,
    'With this loan, more is lent in 24 hours than admins decide. One of the two must be a super admin, or it waits until tomorrow.',
  ),
  loanReserveShort: {
    status: 409,
    narration: ({ free }: { free: number }) =>
      `The free reserve has only ${formatDollars(free)}. Loans are paid from it alone, so this one must wait.`,
  },
  loanConcentrated: {
    status: 409,
    narration: ({ most }: { most: number }) =>
      `One borrower may owe a share of the operator’s capital, and all related parties together the same. For this one ${formatDollars(most)} is left.`,
  },
  principalNotLent: define(
    409,
    'This pool lends no principal of investors. Its operator would have to permit it (LEND_PRINCIPAL).',
  ),
  ladderShort: {
    status: 409,
    narration: ({ on, short }: { on: string; short: number }) =>
      `On ${on} coins and instalments would be ${formatDollars(short)} short of what is owed to investors by then. A smaller or shorter loan may fit.`,
  },
  fundingTooMuch: define(400, 'Investors’ principal cannot fund more than the whole loan.'),
  lossOpen: define(409, 'A loss is open. Nothing is lent before it is decided who bears it.'),
  lossChanged: define(409, 'The open loss is another one now. Please look at it again.'),
  lossAnnounced: define(
    409,
    'Sharing this loss is agreed and announced already. The operator’s capital can still bear it instead.',
  ),
  lossTooLarge: {
    status: 409,
    narration: ({ invested }: { invested: number }) =>
      `Only ${formatDollars(invested)} is invested, which is less than the loss. The operator’s capital has to bear it.`,
  },
  lossNeedsTwo: define(
    409,
    'Ending a loss needs two super admins, and there is only one. Give the role to another person first.',
  ),
  pausedByLoss: define(
    409,
    'An open loss holds this pause. It ends once two super admins agree who bears the loss.',
  ),
  loanWaits: define(
    409,
    'A step of this loan waits for a second person. Please decide about it first.',
  ),
  disbursedWhen: define(
    400,
    'The day of the disbursement cannot be in the future, and must be 1 to 366 days before the first instalment.',
  ),
  disbursedBefore: {
    status: 400,
    narration: ({ on }: { on: string }) =>
      `Two people approved this loan on ${on}, and no loan is paid out before. An import brings in a loan that ran already, with the day on which it was taken over.`,
  },
  takenOverBefore: {
    status: 400,
    narration: ({ on }: { on: string }) =>
      `This loan was taken over on ${on}, so it was paid out by then.`,
  },
  loanByBatch: define(
    409,
    'A node follows this network, so a batch pays the loan. Send it to an address instead.',
  ),
  loanByHand: define(
    409,
    'No node follows this network, so no batch can pay the loan. Pay it by hand, and name the transaction.',
  ),
  loanFileOut: define(
    409,
    'A file of an earlier batch on another network could still pay this loan. Spend one of its coins, or use its number, so that it is void. A CSV never is.',
  ),
  loanInBatch: define(
    409,
    'This loan is in a batch, or the chain shows that it was paid. Give the batch up first.',
  ),
  loanEvidenceUsed: define(409, 'This transaction paid out another loan already.'),
  repaidTooMuch: {
    status: 409,
    narration: ({ most }: { most: number }) =>
      `Up to the next instalment ${formatDollars(most)} is owed. More cannot be recorded yet.`,
  },
  repaidWhen: define(400, 'A repayment arrives between the disbursement and today.'),
  payoffIs: {
    status: 409,
    narration: ({ amount }: { amount: number }) =>
      `On that day ${formatDollars(amount)} ends the loan, with interest by the day.`,
  },
  payoffWhen: define(
    400,
    'The payment that ends a loan cannot arrive before an earlier repayment.',
  ),
  recoveredTooMuch: {
    status: 409,
    narration: ({ most }: { most: number }) =>
      `Of what was written off ${formatDollars(most)} is left to recover. More cannot be recorded.`,
  },
  recoveredWhen: define(400, 'A recovery arrives between the default and today.'),
  repaymentBefore: define(
    409,
    'The loan has new terms since this repayment, and they count on it. It cannot be reversed.',
  ),
  loanOwes: {
    status: 409,
    narration: ({ amount }: { amount: number }) =>
      `The loan owes ${formatDollars(amount)} now. Please check it and ask again.`,
  },
  notRefinanced: define(
    400,
    'A loan refinances one of the same borrower that still owes something and is not refinanced yet.',
  ),
  referenceUsed: define(409, 'A repayment with this reference was recorded already.'),
  repaymentNotFound: define(404, 'Repayment not found.'),
  nothingToPlace: define(409, 'No instalment is open before a paid one. Nothing was changed.'),
  repaymentReversed: define(409, 'This repayment was reversed already.'),
  ...windDownRefusals,
}
