/** Calls of staff about watch-only keys. In live mode a second member of staff has a say. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import type { NetworkName } from '@pool/contract/base/networks'
import { COMPARED, type ReadKey } from '@pool/contract/chain/addressKeys'
import type { MailContext } from '../../accounts/mail/send.ts'
import { type AccountKey, accountKeyOf } from '../../base/chains/accountKeys.ts'
import { requireNetwork } from '../../base/chains/networks.ts'
import { shareLock } from '../../base/locks.ts'
import * as keys from '../../chain/wallets/addressKeys.ts'
import { deriveWallets } from '../../chain/wallets/deriveWallets.ts'
import { addressesOf } from '../../chain/wallets/waits.ts'
import { type ProposalAsker, propose } from './ask.ts'

type Pasted = { readonly networkName: string; readonly key: string }

const firstOf = ({ addressAt }: AccountKey): string[] =>
  Array.from({ length: COMPARED }, (_, index) => addressAt(index))

const read = ({ config }: MailContext, { networkName, key }: Pasted) => {
  const network = requireNetwork(networkName)
  return { network, account: accountKeyOf(network, key, config.poolMode) }
}

const onTheWire = (network: NetworkName, { text, fingerprint }: AccountKey) => ({
  networkName: network,
  key: text,
  fingerprint,
})

/** Reads a pasted key. Throws `unknownNetwork` and `badKey`. */
export const readKey = (context: MailContext, pasted: Pasted): ReadKey => {
  const { network, account } = read(context, pasted)
  return { ...onTheWire(network, account), addresses: firstOf(account) }
}

/**
 * Adds a key, or asks for it in live mode. Throws as {@link readKey}, and `networkHasKey` and
 * `keyAsked`.
 */
export const addKey = async (
  context: MailContext,
  { by, language }: ProposalAsker,
  pasted: Pasted,
) => {
  const { network, account } = read(context, pasted)
  const { text, fingerprint, name } = account
  const waits = context.config.poolMode === 'live'
  await context.db.transaction().execute(async (transaction) => {
    await shareLock(transaction, 'groups')
    await keys.requireNoKey(transaction, network)
    if (waits)
      await propose(
        { transaction, context, by },
        { by: by.id, language },
        { kind: 'ADD_KEY', reason: '', networkName: network, key: text, name },
      )
    else
      await keys.insertKey(transaction, context.keys, {
        network,
        text,
        fingerprint,
        addedBy: by.id,
        by,
      })
  })
  if (!waits) await deriveWallets(context)
  return { ...onTheWire(network, account), ...(waits && { waits }) }
}

/** Ends a key, or asks for it in live mode. Throws `keyNotFound` and `keyAsked`. */
export const endKey = (
  context: MailContext,
  { by, language }: ProposalAsker,
  id: string,
): Promise<{ readonly id: string; readonly waits?: true }> =>
  context.db.transaction().execute(async (transaction) => {
    await shareLock(transaction, 'groups')
    const { network_name, key } = await keys.requireKey(transaction, id)
    if (context.config.poolMode !== 'live') {
      await keys.endKey(transaction, context.keys, { id, by })
      return { id }
    }
    const networkName = requireNetwork(network_name)
    const { name } = accountKeyOf(networkName, key, context.config.poolMode)
    await propose(
      { transaction, context, by },
      { by: by.id, language },
      { kind: 'END_KEY', reason: '', keyId: id, networkName, name },
    )
    return { id, waits: true }
  })

/** The addresses to compare for a proposal: those of a list, or the first ones of a key. */
export const waitingAddresses = async (context: MailContext, id: string): Promise<string[]> => {
  const added = await context.db
    .selectFrom('proposals')
    .select('payload')
    .where('id', '=', id)
    .where('kind', '=', 'ADD_KEY')
    .executeTakeFirst()
  if (!added) return addressesOf(context.db, id)
  return firstOf(read(context, added.payload as PayloadOf<'ADD_KEY'>).account)
}
