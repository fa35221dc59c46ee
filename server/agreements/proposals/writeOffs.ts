/** Claims that two super admins write off. Their approval lets the reserve pay them. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { formatDollars } from '@pool/contract/base/money'
import { requireOwed, requireReserve, writeOffOf } from '../../money/claims/writeOffs.ts'
import { record } from '../../records/audit/record.ts'
import type { Rules } from './kind.ts'

const facts = ({ amount }: PayloadOf<'WRITE_OFF'>) => ({ amount: formatDollars(amount) })

const actions = {
  asked: 'writeOff.asked',
  approved: 'writeOff.approved',
  rejected: 'writeOff.declined',
  withdrawn: 'writeOff.declined',
} as const

export const writeOff: Rules<'WRITE_OFF'> = {
  about: ({ claimId, userId }) => ({ subject: claimId, userId }),
  own: 'ownTransaction',
  evenClosed: true,
  facts,
  guard: async ({ transaction }, payload) => {
    await requireOwed(transaction, payload)
    await requireReserve(transaction, payload)
  },
  recordStep: ({ transaction, context, by }, step, { payload, userId, reason }) =>
    record(transaction, context.keys, {
      by,
      action: actions[step],
      subject: { type: 'transaction', id: payload.claimId },
      ownerId: userId ?? undefined,
      after: { amount: payload.amount },
      ...(step === 'asked' && { reason }),
    }),
  needsTwo: 'claimNeedsTwo',
  requires: async ({ transaction }, { payload }) => {
    await requireOwed(transaction, payload)
    await requireReserve(transaction, payload)
  },
  posts: ({ context }, { id, payload }) => writeOffOf(context, id, payload),
}
