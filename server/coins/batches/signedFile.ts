/** Signed files that staff give back: compared with their batch, and sent by the node. */
import type { NetworkName } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import type { ComparedBatch } from '@pool/contract/coins/batches'
import { type Kysely, sql } from 'kysely'
import type { EvmSettings } from '../../base/configuration/chainsFile.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { coins } from '../../chain/nodes/coins.ts'
import { settingsOf } from '../../chain/nodes/settings.ts'
import type { WithConfig } from '../../http/context.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { requirePayable } from './candidates.ts'
import { compareBitcoinApart, compareEvmApart } from './compareApart.ts'
import { requireFineNode, sendRaw } from './payingNode.ts'
import { requireNotLentTo } from './queries.ts'
import { evmFacts, requireTaken, sendEvm } from './sendEvm.ts'
import type { Compared, SignedBatch } from './signedBitcoin.ts'
import type { EvmBatch, SentEvm } from './signedEvm.ts'

type SignedFileContext = OnRecord & WithConfig
type SignedFile = { readonly id: string; readonly text: string }

const readBatch = async (db: Kysely<Schema>, id: string) => {
  const { rows } = await sql<
    SignedBatch & {
      kind: string
      format: string
      state: string
      asset: string
      payer: string | null
      nonce: number | null
      safeHash: string | null
      gas: string | null
      gasPrice: string | null
    }
  >`
    SELECT network_name AS network, kind, format, state, asset, decimals, file, fee_units::text AS "feeUnits", change_address AS "changeAddress",
      payer, nonce::int, safe_hash AS "safeHash", gas::text, gas_price::text AS "gasPrice",
      coalesce((SELECT jsonb_agg(jsonb_build_object('address', address, 'units', units::text) ORDER BY position)
        FROM batch_payouts WHERE batch_id = b.id), '[]') AS payouts,
      coalesce((SELECT jsonb_agg(jsonb_build_object('input', input, 'units', units::text) ORDER BY input)
        FROM batch_inputs WHERE batch_id = b.id), '[]') AS inputs
    FROM batches AS b WHERE id = ${id}`.execute(db)
  const [batch] = rows
  if (!batch) throw refusal('batchNotFound')
  return batch
}

type ReadBatchFacts = Awaited<ReturnType<typeof readBatch>>
/** `evm` has what an EVM network's node is given. Undefined for Bitcoin. */
type ComparedFile = Compared & {
  readonly evm?: { readonly settings: EvmSettings; readonly sent: readonly SentEvm[] }
}

/** The token's contract. Null for the network's own coin. Throws `signedNotTaken` for no coin. */
const contractOf = ({ network, tokens }: EvmSettings, asset: string): string | null => {
  if (asset === coins[network]) return null
  const found = tokens.find(({ symbol }) => symbol === asset)
  if (!found) throw refusal('signedNotTaken')
  return found.contract
}

const compareOnEvm = async (
  { config, db }: Pick<SignedFileContext, 'config' | 'db'>,
  batch: ReadBatchFacts,
  { id, text }: SignedFile,
): Promise<ComparedFile> => {
  const { format, payer, decimals, nonce, safeHash, payouts, gas, gasPrice } = batch
  const settings = settingsOf(config, batch.network as NetworkName)
  // Each address of a collection signs its own, and the product knows none of their keys.
  if (settings?.kind !== 'evm' || batch.kind !== 'PAYOUT' || format === 'PSBT' || payer === null)
    throw refusal('signedNotTaken')
  const of: EvmBatch = {
    format: format === 'SAFE' ? 'SAFE' : 'CSV',
    chainId: settings.chainId,
    decimals,
    contract: contractOf(settings, batch.asset),
    payer,
    nonce,
    safeHash,
    payouts,
  }
  const { sent, ...compared } = await compareEvmApart(of, text)
  const isRepeat = (await sentBefore(db, id)).includes(compared.transaction)
  const facts = await evmFacts(settings, sent, {
    gas: BigInt(gas ?? 0),
    gasPrice: BigInt(gasPrice ?? 0),
    isRepeat,
  })
  const lines = [...compared.lines, ...facts]
  return {
    ...compared,
    lines,
    isSame: lines.every(({ expected, found }) => expected === found),
    evm: { settings, sent },
  }
}

const compare = async (
  context: Pick<SignedFileContext, 'config' | 'db'>,
  given: SignedFile,
): Promise<ComparedFile> => {
  const batch = await readBatch(context.db, given.id)
  const { state } = batch
  // No other file is given out, so no other one comes back.
  if (state === 'WAITING' || state === 'GIVEN_UP') throw refusal('batchClosed', { state })
  return batch.format === 'PSBT'
    ? compareBitcoinApart(batch, given.text)
    : compareOnEvm(context, batch, given)
}

/**
 * Compares a signed file with its batch. Throws `batchNotFound`, `batchClosed`, `signedNotTaken`,
 * `signedUnreadable`, and `batchImpossible` where the node of an EVM network does not answer.
 */
export const compareSigned = async (
  context: Pick<SignedFileContext, 'config' | 'db'>,
  given: SignedFile,
): Promise<ComparedBatch> => {
  const { transaction, isSame, lines } = await compare(context, given)
  return { transaction, isSame, lines: [...lines] }
}

/** The transactions of each file of a batch that was given to the node. */
export const sentBefore = async (db: Kysely<Schema>, id: string): Promise<readonly string[]> => {
  const { rows } = await sql<{ transaction: string }>`
    SELECT DISTINCT after ->> 'transaction' AS transaction FROM audit_entries
    WHERE subject_type = 'batch' AND subject_id = ${id} AND action = 'batch.sent'`.execute(db)
  return rows.map(({ transaction }) => transaction)
}

/** Minutes in which a repeat is not sent again. The network may have lost an older one. */
const SENT_MINUTES = 10

/** True where the signed file of a batch was just given to the node. */
export const wasSent = async (db: Kysely<Schema>, id: string): Promise<boolean> => {
  const { rows } = await sql`
    SELECT FROM audit_entries WHERE subject_type = 'batch' AND subject_id = ${id} AND action = 'batch.sent'
      AND created_at > now() - make_interval(mins => ${SENT_MINUTES})`.execute(db)
  return rows.length > 0
}

/** True once a payment of a batch was freed for another one. */
const isFreed = async (db: Kysely<Schema>, id: string): Promise<boolean> => {
  const { rows } = await sql`
    SELECT FROM batch_payouts WHERE batch_id = ${id} AND NOT is_open AND transaction_id IS NULL LIMIT 1`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * Sends a signed file by the node, once for any number of calls. Throws as {@link compareSigned}
 * and requirePayable, and for other reasons that the catalogue of batches names.
 */
export const sendSigned = async (
  context: SignedFileContext,
  { by, ...given }: SignedFile & { readonly by: Caller },
): Promise<{ readonly transaction: string }> => {
  const { config, db, keys } = context
  const { id } = given
  const { raw, isSame, transaction, evm } = await compare(context, given)
  if (!isSame) throw refusal('signedDiffers')
  if (raw === undefined && !evm) throw refusal('signedUnfinished')
  const refused = await db.transaction().execute(async (locked) => {
    // Others do not wait for the node, and hold no connection meanwhile.
    const { rows } = await sql<{
      network: NetworkName
      state: string
      format: string
      digest: string
    }>`
      SELECT network_name AS network, state, format, digest FROM batches WHERE id = ${id} FOR UPDATE SKIP LOCKED`.execute(
      locked,
    )
    const [batch] = rows
    if (!batch) throw refusal('batchBusy')
    const isRecent = await wasSent(locked, id)
    if (isRecent && !evm) return
    const { network, state, format, digest } = batch
    const before = await sentBefore(locked, id)
    const isRepeat = before.includes(transaction)
    // Coins of a PSBT and the number of a Safe pay once. Plain transactions of two files pay twice.
    if (format === 'CSV' && !isRepeat && before.length > 0) throw refusal('signedOther')
    const isOpen = state === 'READY' || (state === 'SEEN' && (isRepeat || format !== 'CSV'))
    if (!isOpen) throw refusal('batchClosed', { state })
    if (format === 'CSV' && (await isFreed(locked, id))) throw refusal('batchClosed', { state })
    if (state === 'READY' || format === 'CSV') {
      await requireNotLentTo(locked, id, by)
      await requirePayable(locked, id)
    }
    const { settings } = await requireFineNode(locked, config, network)
    if (evm && !isRepeat) await requireTaken(evm.settings, evm.sent)
    // With the entry first, coins leave only where it can be written.
    if (!isRecent || !isRepeat)
      await record(locked, keys, {
        by,
        action: 'batch.sent',
        subject: { type: 'batch', id },
        after: { networkName: network, digest, transaction },
      })
    if (evm) return sendEvm(evm.settings, evm.sent)
    await sendRaw(settings, raw ?? '')
    return undefined
  })
  if (refused) throw refused
  return { transaction }
}
