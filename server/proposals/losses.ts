/** Open losses that the operator's capital bears: two super admins (docs/decisions/063). */
import { formatDollars } from '@pool/contract/money'
import type { PayloadOf } from '@pool/contract/proposals'
import { refusal } from '@pool/contract/refusals'
import { record } from '../audit/record.ts'
import { requireCover } from '../loans/covers.ts'
import type { Rules } from './kind.ts'

const actions = {
  asked: 'loss.coverAsked',
  approved: 'loss.coverAgreed',
  rejected: 'loss.declined',
  withdrawn: 'loss.declined',
} as const

const facts = ({ amount }: PayloadOf<'COVER_LOSS'>) => ({ amount: formatDollars(amount) })

export const coverLoss: Rules<'COVER_LOSS'> = {
  about: () => ({ subject: 'open loss', userId: null }),
  facts,
  guard: ({ transaction }, payload) => requireCover(transaction, payload),
  tell: ({ transaction, context, by }, step, { id, payload, reason }) =>
    record(transaction, context.keys, {
      by,
      action: actions[step],
      subject: { type: 'loss', id },
      after: { amount: payload.amount },
      ...(step === 'asked' && { reason }),
    }),
  apply: async ({ transaction }, { payload, alone }) => {
    if (alone) throw refusal('lossNeedsTwo')
    await requireCover(transaction, payload)
  },
}
