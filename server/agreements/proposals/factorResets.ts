/** Resets of lost second factors, which rest after their approval (docs/decisions/034). */
import { refusal } from '@pool/contract/base/refusals'
import { kindsOf } from '../../accounts/factors/queries.ts'
import { recordReset } from '../../accounts/recovery/stopReset.ts'
import type { Rules } from './kind.ts'

const changes = {
  asked: 'resetAsked',
  approved: 'resetApproved',
  rejected: 'resetStopped',
  withdrawn: 'resetStopped',
} as const

export const resetFactors: Rules<'RESET_FACTORS'> = {
  about: ({ userId }) => ({ subject: userId, userId }),
  facts: () => ({}),
  own: 'ownFactorReset',
  // On the first day a lone super admin resets the factor of a person whom they let in.
  ownAccount: true,
  requires: async ({ transaction }, { payload: { userId } }) => {
    if ((await kindsOf(transaction, userId)).length === 0) throw refusal('proposalNeedless')
  },
  // Gives the owner time to object. The next use of a factor removes all of them then.
  cooldownHours: 24,
  recordStep: ({ transaction, context, by }, step, { payload, reason, restsUntil }) =>
    recordReset(transaction, context, {
      userId: payload.userId,
      by,
      change: changes[step],
      ...(step === 'approved' && { restsUntil }),
      ...((step === 'asked' || step === 'approved') && { reason }),
    }),
}
