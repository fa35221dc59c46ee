/** The refusals of a wind-down, a part of contract/lending/loanRefusals.ts. */
import { formatDollars } from '../base/money.ts'

/** Amounts are in dollars. */
export type WindDownRefusalDetails = {
  readonly capitalLeavesLast: { owed: number }
}

const define = (status: number, sentence: string) => ({ status, narration: () => sentence })

export const windDownRefusals = {
  windingDown: define(409, 'The pool is winding down. No new money is taken or lent.'),
  notWindingDown: define(409, 'The pool is not winding down.'),
  windDownNeedsTwo: define(
    409,
    'This needs two super admins, and there is only one. Give the role to another person first.',
  ),
  windDownGoesOn: define(409, 'Capital of the operator has left, so the wind-down goes on.'),
  capitalLeavesLast: {
    status: 409,
    narration: ({ owed }: WindDownRefusalDetails['capitalLeavesLast']): string =>
      `The operator’s capital leaves last. ${formatDollars(owed)} must be paid or settled before.`,
  },
  repaymentsChanged: define(
    409,
    'Repayments were booked or taken back since you looked. Look at them again, and ask anew.',
  ),
}
