/** Addresses that staff add, and wallets that they delete or archive (docs/decisions/040). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { archive } from '../../chain/wallets/archiveWallet.ts'
import { removeWallet } from '../../chain/wallets/deleteWallet.ts'
import { countAddresses, dropAddresses } from '../../chain/wallets/waits.ts'
import type { Rules } from './kind.ts'

/** Hours for which it rests where no other member of staff can decide. */
export const ALONE_HOURS = 24

const listed = ({ networkName, count, first, last }: PayloadOf<'ADD_WALLETS'>) => ({
  networkName,
  count,
  first,
  last,
})

export const addWallets: Rules<'ADD_WALLETS'> = {
  about: ({ networkName, first }) => ({ subject: `${networkName} ${first}`, userId: null }),
  facts: listed,
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
  about,
  facts: named,
  on: ({ walletId }) => walletId,
  aloneHours: ALONE_HOURS,
  apply: ({ transaction, context, by }, { payload }) =>
    removeWallet(transaction, context.keys, { id: payload.walletId, by }),
}

export const archiveWallet: Rules<'ARCHIVE_WALLET'> = {
  about,
  facts: named,
  on: ({ walletId }) => walletId,
  aloneHours: ALONE_HOURS,
  apply: async ({ transaction, context, by }, { payload }) => {
    await archive(transaction, context, { id: payload.walletId, by })
  },
}
