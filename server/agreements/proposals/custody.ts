/** Own addresses, opening balances, settled coins and ends of breaks: two super admins each. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { formatDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { acceptBreak, requireBreak } from '../../coins/custody/breaks.ts'
import { bookOpening, unitsOfOpening } from '../../coins/custody/openings.ts'
import { addOwnAddress, requireNameable } from '../../coins/custody/ownAddresses.ts'
import { requireUnexplained, settleSpending } from '../../coins/custody/settlements.ts'
import type { Rules } from './kind.ts'

const addressFacts = (payload: PayloadOf<'OWN_ADDRESS'>) => ({
  networkName: payload.networkName,
  class: payload.class,
  address: payload.address,
})

export const ownAddress: Rules<'OWN_ADDRESS'> = {
  about: ({ networkName, address }) => ({
    subject: `${networkName} ${address}`.toLowerCase(),
    userId: null,
  }),
  facts: addressFacts,
  requires: ({ transaction, context }, { payload }) =>
    requireNameable(transaction, context.config.poolMode, payload),
  apply: async ({ transaction, context }, { id, payload, alone }) => {
    if (alone) throw refusal('custodyNeedsTwo')
    await addOwnAddress(transaction, context.config.poolMode, { ...payload, proposalId: id })
  },
}

const openingFacts = ({ networkName, account, amount, asset }: PayloadOf<'OPENING'>) => ({
  networkName,
  account,
  amount,
  asset,
})

export const opening: Rules<'OPENING'> = {
  about: ({ networkName, account, asset }) => ({
    subject: `${networkName} ${asset} ${account}`,
    userId: null,
  }),
  facts: openingFacts,
  requires: async ({ context }, { payload }) => void unitsOfOpening(context.config, payload),
  apply: async ({ transaction, context }, { id, payload, alone }) => {
    if (alone) throw refusal('custodyNeedsTwo')
    await bookOpening(transaction, context.config, { proposalId: id, asked: payload })
  },
}

const breakFacts = ({ amount, reconciliationId }: PayloadOf<'END_BREAK'>) => ({
  amount: formatDollars(amount),
  reconciliationId,
})

const settlementFacts = (payload: PayloadOf<'SETTLE_SPENDING'>) => ({
  coins: payload.coins,
  networkName: payload.networkName,
  transaction: payload.transaction,
})

export const settlement: Rules<'SETTLE_SPENDING'> = {
  about: ({ networkName, transaction }) => ({
    subject: `${networkName} ${transaction}`,
    userId: null,
  }),
  on: ({ alarmId }) => alarmId,
  facts: settlementFacts,
  requires: ({ transaction }, { payload }) => requireUnexplained(transaction, payload),
  apply: async ({ transaction, by }, { id, payload, reason, alone }) => {
    if (alone) throw refusal('custodyNeedsTwo')
    await settleSpending(transaction, { proposalId: id, asked: payload, reason, by })
  },
}

export const endBreak: Rules<'END_BREAK'> = {
  about: () => ({ subject: 'withdrawals', userId: null }),
  facts: breakFacts,
  requires: ({ transaction }, { payload }) => requireBreak(transaction, payload),
  apply: async ({ transaction, context, by }, { id, payload, reason, alone }) => {
    if (alone) throw refusal('custodyNeedsTwo')
    const agreed = { proposalId: id, asked: payload, reason, by }
    await acceptBreak({ db: transaction, keys: context.keys }, agreed)
  },
}
