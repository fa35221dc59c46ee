/** Calls of staff about wallets. In live mode a second member of staff has a say. */
import type { Wallet } from '@pool/contract/chain/wallets'
import type { Kysely } from 'kysely'
import type { MailContext } from '../../accounts/mail/send.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import * as one from '../../chain/wallets/addWallet.ts'
import * as many from '../../chain/wallets/addWallets.ts'
import { archive, holdAssigned } from '../../chain/wallets/archiveWallet.ts'
import { removeWallet, requireDeletable } from '../../chain/wallets/deleteWallet.ts'
import { readWallet, walletOnTheWire } from '../../chain/wallets/queries.ts'
import { isAboveShare } from '../../chain/wallets/share.ts'
import { summaryOf, type Waits } from '../../chain/wallets/waits.ts'
import { type ProposalAsker, propose } from './ask.ts'

/** The caller, and the language of their mails. */

const needsTwo = ({ config }: MailContext): boolean => config.poolMode === 'live'

/** Lets added addresses wait. A sandbox has no coins to steer. */
const waitsFor = (context: MailContext, { by, language }: ProposalAsker): Waits | undefined => {
  if (!needsTwo(context)) return undefined
  const id = newId()
  return {
    proposalId: id,
    ask: async (transaction, { network, addresses }) => {
      await propose(
        { transaction, context, by },
        { by: by.id, language, id },
        {
          kind: 'ADD_WALLETS',
          reason: '',
          networkName: network,
          count: addresses.length,
          ...summaryOf(addresses),
        },
      )
    },
  }
}

/** Adds a deposit wallet as {@link one.addWallet} does. */
export const addWallet = (
  context: MailContext,
  asking: ProposalAsker,
  payload: { readonly address: string; readonly networkName: string },
): Promise<Wallet> => one.addWallet(context, payload, asking.by, waitsFor(context, asking))

/** Adds deposit wallets as {@link many.addWallets} does. */
export const addWallets = (
  context: MailContext,
  asking: ProposalAsker,
  payload: { readonly addresses: readonly string[]; readonly networkName: string },
) => many.addWallets(context, payload, asking.by, waitsFor(context, asking))

type Removing = {
  readonly kind: 'DELETE_WALLET' | 'ARCHIVE_WALLET'
  readonly walletId: string
  readonly networkName: string
  readonly address: string
}

/** Asks for a removal above a share of the stock. False for one that may be done alone. */
const asksFor = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { by, language }: ProposalAsker,
  removing: Removing,
): Promise<boolean> => {
  const removal = removing.kind === 'DELETE_WALLET' ? 'delete' : 'archive'
  if (!needsTwo(context) || !(await isAboveShare(transaction, removal))) return false
  await propose({ transaction, context, by }, { by: by.id, language }, { ...removing, reason: '' })
  return true
}

/**
 * Deletes an available wallet, or asks for it above a tenth of the stock in 24 hours. Throws as
 * {@link removeWallet}, and `proposalAsked`.
 */
export const deleteWallet = (
  context: MailContext,
  asking: ProposalAsker,
  id: string,
): Promise<{ readonly id: string; readonly waits?: true }> =>
  context.db.transaction().execute(async (transaction) => {
    const wallet = await requireDeletable(transaction, id)
    const removing = { kind: 'DELETE_WALLET' as const, walletId: id, ...wallet }
    if (await asksFor(transaction, context, asking, removing)) return { id, waits: true }
    await removeWallet(transaction, context.keys, { id, by: asking.by })
    return { id }
  })

/**
 * Archives an assigned wallet, or asks for it above a tenth of the assigned ones in 24 hours.
 * Throws as {@link archive}, and `proposalAsked`.
 */
export const archiveWallet = (
  context: MailContext,
  asking: ProposalAsker,
  id: string,
): Promise<Wallet> =>
  context.db.transaction().execute(async (transaction) => {
    const { address, networkName, isArchived } = await holdAssigned(transaction, id)
    const removing = { kind: 'ARCHIVE_WALLET' as const, walletId: id, networkName, address }
    if (!isArchived && (await asksFor(transaction, context, asking, removing)))
      return walletOnTheWire(await readWallet(transaction, id))
    return archive(transaction, context, { id, by: asking.by })
  })
