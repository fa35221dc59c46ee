/** Watch-only keys that staff add and end (docs/decisions/044). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { accountKeyOf } from '../../base/chains/accountKeys.ts'
import { requireNetwork } from '../../base/chains/networks.ts'
import * as keys from '../../chain/wallets/addressKeys.ts'
import type { Rules } from './kind.ts'
import { ALONE_HOURS } from './wallets.ts'

const named = ({ networkName, name }: PayloadOf<'ADD_KEY' | 'END_KEY'>) => ({ networkName, name })

export const addKey: Rules<'ADD_KEY'> = {
  // At most one waits for a network.
  about: ({ networkName }) => ({ subject: networkName, userId: null }),
  facts: named,
  again: 'keyAsked',
  aloneHours: ALONE_HOURS,
  apply: async ({ transaction, context, by }, { payload, askedBy }) => {
    const network = requireNetwork(payload.networkName)
    const { text, fingerprint } = accountKeyOf(network, payload.key, context.config.poolMode)
    await keys.insertKey(transaction, context.keys, {
      network,
      text,
      fingerprint,
      addedBy: askedBy,
      by,
    })
  },
}

export const endKey: Rules<'END_KEY'> = {
  about: ({ keyId, networkName, name }) => ({
    subject: `${networkName} ${name} ${keyId}`,
    userId: null,
  }),
  facts: named,
  again: 'keyAsked',
  on: ({ keyId }) => keyId,
  aloneHours: ALONE_HOURS,
  apply: ({ transaction, context, by }, { payload }) =>
    keys.endKey(transaction, context.keys, { id: payload.keyId, by }),
}
