/** Own addresses, opening balances, settled coins and ends of breaks: two super admins each. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { formatDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { acceptBreak, requireBreak } from '../../coins/custody/breaks.ts'
import { bookOpening, unitsOfOpening } from '../../coins/custody/openings.ts'
import { addOwnAddress, requireNameable } from '../../coins/custody/ownAddresses.ts'
import { requireUnexplained, settleSpending } from '../../coins/custody/settlements.ts'
import { record } from '../../records/audit/record.ts'
import type { Proposal, Rules, Step, Work } from './kind.ts'

type OfCustody = 'OWN_ADDRESS' | 'OPENING' | 'END_BREAK'

/** The audit actions of each step, by the first word of the kind's actions. */
const actionsOf = <Noun extends 'address' | 'opening' | 'break'>(noun: Noun) =>
  ({
    asked: `${noun}.asked`,
    approved: `${noun}.approved`,
    rejected: `${noun}.declined`,
    withdrawn: `${noun}.declined`,
  }) as const

const stepRecorder =
  <Kind extends OfCustody>(
    noun: 'address' | 'opening' | 'break',
    facts: (payload: PayloadOf<Kind>) => Readonly<Record<string, unknown>>,
  ) =>
  ({ transaction, context, by }: Work, step: Step, { id, payload, reason }: Proposal<Kind>) =>
    record(transaction, context.keys, {
      by,
      action: actionsOf(noun)[step],
      subject: { type: 'custody', id },
      after: facts(payload),
      ...(step === 'asked' && { reason }),
    })

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
  guard: async ({ transaction, context }, payload) => {
    await requireNameable(transaction, context.config.poolMode, payload)
  },
  recordStep: stepRecorder<'OWN_ADDRESS'>('address', addressFacts),
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
  guard: async ({ context }, payload) => void unitsOfOpening(context.config, payload),
  recordStep: stepRecorder<'OPENING'>('opening', openingFacts),
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

const settlementActions = {
  asked: 'settlement.asked',
  approved: 'settlement.approved',
  rejected: 'settlement.declined',
  withdrawn: 'settlement.declined',
} as const

export const settlement: Rules<'SETTLE_SPENDING'> = {
  about: ({ networkName, transaction }) => ({
    subject: `${networkName} ${transaction}`,
    userId: null,
  }),
  facts: settlementFacts,
  guard: async ({ transaction }, payload) => {
    await requireUnexplained(transaction, payload)
  },
  recordStep: ({ transaction, context, by }, step, { payload, reason }) =>
    record(transaction, context.keys, {
      by,
      action: settlementActions[step],
      subject: { type: 'alarm', id: payload.alarmId },
      after: settlementFacts(payload),
      ...(step === 'asked' && { reason }),
    }),
  apply: async ({ transaction, by }, { id, payload, reason, alone }) => {
    if (alone) throw refusal('custodyNeedsTwo')
    await settleSpending(transaction, { proposalId: id, asked: payload, reason, by })
  },
}

export const endBreak: Rules<'END_BREAK'> = {
  about: () => ({ subject: 'withdrawals', userId: null }),
  facts: breakFacts,
  guard: ({ transaction }, payload) => requireBreak(transaction, payload),
  recordStep: stepRecorder<'END_BREAK'>('break', breakFacts),
  apply: async ({ transaction, context, by }, { id, payload, reason, alone }) => {
    if (alone) throw refusal('custodyNeedsTwo')
    const agreed = { proposalId: id, asked: payload, reason, by }
    await acceptBreak({ db: transaction, keys: context.keys }, agreed)
  },
}
