/** Addresses that staff add, and wallets that they delete or archive (docs/decisions/040). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { archive } from '../../chain/wallets/archiveWallet.ts'
import { removeWallet } from '../../chain/wallets/deleteWallet.ts'
import { countAddresses, dropAddresses } from '../../chain/wallets/waits.ts'
import { record } from '../../records/audit/record.ts'
import type { Proposal, Rules, Step, Work } from './kind.ts'
import { mailStaff } from './mailStaff.ts'

type OfWallets = 'ADD_WALLETS' | 'DELETE_WALLET' | 'ARCHIVE_WALLET' | 'ADD_KEY' | 'END_KEY'

/** Hours for which it rests where no other member of staff can decide. */
export const ALONE_HOURS = 24

const actions = {
  asked: 'wallet.asked',
  approved: 'wallet.approved',
  rejected: 'wallet.declined',
  withdrawn: 'wallet.declined',
} as const

/** The wallet or the key that a payload names. */
const subjectOf = (payload: object): string | undefined => {
  const { walletId, keyId } = payload as { readonly walletId?: string; readonly keyId?: string }
  return walletId ?? keyId
}

/** Records a step. Mails all staff of one that rests, since no second person looks at it. */
export const stepRecorder =
  <Kind extends OfWallets>(
    facts: (payload: PayloadOf<Kind>) => Readonly<Record<string, unknown>>,
  ) =>
  async (work: Work, step: Step, proposal: Proposal<Kind>): Promise<void> => {
    const { id, kind, payload, alone, restsUntil } = proposal
    if (step === 'approved' && restsUntil !== null) {
      await mailStaff(work, { kind, facts: facts(payload), restsUntil })
      return
    }
    await record(work.transaction, work.context.keys, {
      by: work.by,
      action: actions[step],
      subject: { type: 'wallet', id: subjectOf(payload) ?? id },
      after: { kind, ...facts(payload), ...(step === 'asked' && alone && { alone }) },
    })
  }

const listed = ({ networkName, count, first, last }: PayloadOf<'ADD_WALLETS'>) => ({
  networkName,
  count,
  first,
  last,
})

export const addWallets: Rules<'ADD_WALLETS'> = {
  byStaff: true,
  about: ({ networkName, first }) => ({ subject: `${networkName} ${first}`, userId: null }),
  facts: listed,
  recordStep: stepRecorder<'ADD_WALLETS'>((payload) => ({
    ...listed(payload),
    sha256: payload.sha256,
  })),
  aloneHours: ALONE_HOURS,
  apply: ({ transaction }, { id }) => countAddresses(transaction, id),
  ended: ({ transaction }, { id }) => dropAddresses(transaction, id),
}

type Removal = PayloadOf<'DELETE_WALLET' | 'ARCHIVE_WALLET'>

const about = ({ networkName, address }: Removal) => ({
  subject: `${networkName} ${address}`,
  userId: null,
})
const named = ({ networkName, address }: Removal) => ({ networkName, address })

export const deleteWallet: Rules<'DELETE_WALLET'> = {
  byStaff: true,
  about,
  facts: named,
  recordStep: stepRecorder<'DELETE_WALLET'>(named),
  aloneHours: ALONE_HOURS,
  apply: ({ transaction, context, by }, { payload }) =>
    removeWallet(transaction, context.keys, { id: payload.walletId, by }),
}

export const archiveWallet: Rules<'ARCHIVE_WALLET'> = {
  byStaff: true,
  about,
  facts: named,
  recordStep: stepRecorder<'ARCHIVE_WALLET'>(named),
  aloneHours: ALONE_HOURS,
  apply: async ({ transaction, context, by }, { payload }) => {
    await archive(transaction, context, { id: payload.walletId, by })
  },
}
