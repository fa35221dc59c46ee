/**
 * Open losses that the operator's capital bears, or all invested principal: two super admins
 * (docs/decisions/063 and 064).
 */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { formatDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { coverOf, requireCover } from '../../lending/loans/covers.ts'
import { announceShare, requireShare } from '../../lending/loans/shares.ts'
import { record } from '../../records/audit/record.ts'
import type { Rules } from './kind.ts'

const facts = ({ amount }: PayloadOf<'COVER_LOSS'>) => ({ amount: formatDollars(amount) })

export const coverLoss: Rules<'COVER_LOSS'> = {
  about: () => ({ subject: 'open loss', userId: null }),
  facts,
  needsTwo: 'lossNeedsTwo',
  requires: ({ transaction }, { payload }) => requireCover(transaction, payload),
  posts: ({ context }, { id, payload }) => coverOf(context, id, payload),
}

export const shareLoss: Rules<'SHARE_LOSS'> = {
  about: () => ({ subject: 'open loss', userId: null }),
  facts,
  requires: ({ transaction }, { payload }) => requireShare(transaction, payload),
  apply: async ({ transaction, context, by }, { id, payload, alone }) => {
    if (alone) throw refusal('lossNeedsTwo')
    const noticeHours = context.config.lossNoticeHours
    const countsAt = await announceShare(transaction, id, { ...payload, noticeHours })
    await record(transaction, context.keys, {
      by,
      action: 'loss.announced',
      subject: { type: 'loss', id },
      after: { amount: payload.amount, lossId: payload.lossId, countsAt: countsAt.toISOString() },
    })
  },
}
