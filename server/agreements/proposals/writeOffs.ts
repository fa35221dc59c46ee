/** Claims that two super admins write off. Their approval lets the reserve pay them. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { formatDollars } from '@pool/contract/base/money'
import { requireOwed, requireReserve, writeOffOf } from '../../money/claims/writeOffs.ts'
import type { Rules } from './kind.ts'

const facts = ({ amount }: PayloadOf<'WRITE_OFF'>) => ({ amount: formatDollars(amount) })

export const writeOff: Rules<'WRITE_OFF'> = {
  about: ({ claimId, userId }) => ({ subject: claimId, userId }),
  on: ({ claimId }) => claimId,
  own: 'ownTransaction',
  evenClosed: true,
  facts,
  needsTwo: 'claimNeedsTwo',
  requires: async ({ transaction }, { payload }) => {
    await requireOwed(transaction, payload)
    await requireReserve(transaction, payload)
  },
  posts: ({ context }, { id, payload }) => writeOffOf(context, id, payload),
}
