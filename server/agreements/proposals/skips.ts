/** Blocks of a network that are left out: two super admins (docs/decisions/087). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { refusal } from '@pool/contract/base/refusals'
import { agreeToSkip, requireSkippable } from '../../chain/nodes/skips.ts'
import { record } from '../../records/audit/record.ts'
import type { Rules } from './kind.ts'

const facts = ({ networkName, from, to }: PayloadOf<'SKIP_BLOCKS'>) => ({ networkName, from, to })

const actions = {
  asked: 'skip.asked',
  approved: 'skip.approved',
  rejected: 'skip.declined',
  withdrawn: 'skip.declined',
} as const

export const skipBlocks: Rules<'SKIP_BLOCKS'> = {
  // One of an earlier block, which is void, must not hold the next up.
  about: ({ networkName, from }) => ({ subject: `${networkName} ${from}`, userId: null }),
  facts,
  guard: ({ transaction }, payload) => requireSkippable(transaction, payload),
  recordStep: ({ transaction, context, by }, step, { id, payload, reason }) =>
    record(transaction, context.keys, {
      by,
      action: actions[step],
      subject: { type: 'chain', id },
      after: facts(payload),
      ...(step === 'asked' && { reason }),
    }),
  apply: async ({ transaction }, { id, payload, alone }) => {
    if (alone) throw refusal('custodyNeedsTwo')
    await agreeToSkip(transaction, id, payload)
  },
}
