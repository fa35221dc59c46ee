/** Coins that come in as the operator's capital: two super admins (docs/product.md 4.5). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { formatDollars } from '@pool/contract/base/money'
import { contributionOf, requireBrought } from '../../coins/custody/capital.ts'
import type { Rules, Work } from './kind.ts'

const factsOf = ({ amount, paymentId, ...rest }: PayloadOf<'PUT_IN_CAPITAL'>) => ({
  ...rest,
  amount: formatDollars(amount),
  source: paymentId === undefined ? 'typed' : 'seen',
})

const within = ({ transaction, context: { config, keys } }: Work) => ({
  db: transaction,
  config,
  keys,
})

export const putInCapital: Rules<'PUT_IN_CAPITAL'> = {
  about: ({ networkName, evidence }) => ({
    subject: `${networkName} ${evidence}`.toLowerCase(),
    userId: null,
  }),
  facts: factsOf,
  needsTwo: 'capitalNeedsTwo',
  requires: (work, { payload }) => requireBrought(within(work), payload),
  posts: (work, agreed) => contributionOf(within(work), agreed),
}
