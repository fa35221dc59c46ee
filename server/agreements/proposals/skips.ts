/** Blocks of a network that are left out: two super admins (docs/decisions/087). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { refusal } from '@pool/contract/base/refusals'
import { agreeToSkip, requireSkippable } from '../../chain/nodes/skips.ts'
import type { Rules } from './kind.ts'

const facts = ({ networkName, from, to }: PayloadOf<'SKIP_BLOCKS'>) => ({ networkName, from, to })

export const skipBlocks: Rules<'SKIP_BLOCKS'> = {
  // One of an earlier block, which is void, must not hold the next up.
  about: ({ networkName, from }) => ({ subject: `${networkName} ${from}`, userId: null }),
  facts,
  requires: ({ transaction }, { payload }) => requireSkippable(transaction, payload),
  apply: async ({ transaction }, { id, payload, alone }) => {
    if (alone) throw refusal('custodyNeedsTwo')
    await agreeToSkip(transaction, id, payload)
  },
}
