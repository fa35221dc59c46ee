import type { NetworkName } from '@pool/contract/base/networks'
import type { ChainState } from '@pool/contract/chain/chains'
import { type Kysely, sql } from 'kysely'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import type { Schema } from '../../base/db/schema.ts'
import { NodeFault } from './fault.ts'
import { type Followed, follow } from './follow.ts'
import type { Head } from './node.ts'
import { requireReached } from './payments.ts'
import { claimOf } from './settings.ts'

export type Look = {
  readonly state: ChainState
  readonly words: string
  /** The block that could not be read, if it was one. */
  readonly unread?: number | undefined
}

/**
 * Looks at a node once, reads its new blocks and writes its state. Returns the state, and whether
 * it is another one than before. Writes nothing once `stopping` is aborted.
 */
export const pollNode = async (
  db: Kysely<Schema>,
  followed: Followed,
): Promise<Look & { readonly changed: boolean }> => {
  const { settings, stopping } = followed
  let confirmed: string | null = null
  let look: Look
  try {
    await followed.node.check()
    const head = await followed.node.head()
    confirmed = claimOf(settings)
    await requireReached(db, settings.network, head)
    look = stopping?.aborted ? FINE : await judge(db, head, settings)
    if (look.state !== 'LYING' && !stopping?.aborted) {
      await follow(db, followed, head)
      // A node that was on another chain must not count here for what it named final.
      await keepFinal(db, settings, head)
    }
  } catch (error) {
    if (!(error instanceof NodeFault)) throw error
    look = { state: error.state, words: error.message, unread: error.block }
  }
  if (stopping?.aborted) return { ...look, changed: false }
  return { ...look, changed: await writeState(db, settings.network, look, confirmed) }
}

/** Writes the newest block. The database's clock tells how long the chain has not grown. */
const judge = async (db: Kysely<Schema>, head: Head, settings: ChainSettings): Promise<Look> => {
  if (head.finalHeight !== null && head.finalHeight > head.height)
    return {
      state: 'LYING',
      words: `Block ${head.finalHeight} is final, and block ${head.height} is the newest`,
    }
  const { network, stuckAfterMinutes } = settings
  const { rows } = await sql<{ stuck: number; unfinal: number | null; finalBefore: bigint | null }>`
    INSERT INTO chains AS c (network_name, state, height, head_hash, height_since)
    VALUES (${network}, 'UNCHECKED', ${head.height}, ${head.hash}, now())
    ON CONFLICT (network_name) DO UPDATE SET
      height = EXCLUDED.height, head_hash = EXCLUDED.head_hash,
      height_since = CASE WHEN c.head_hash = EXCLUDED.head_hash THEN c.height_since ELSE now() END
    RETURNING extract(epoch FROM now() - height_since)::float8 AS stuck,
      CASE WHEN final_height >= ${head.finalHeight}::bigint THEN extract(epoch FROM now() - final_since)::float8 END AS unfinal,
      final_height AS "finalBefore"`.execute(db)
  const { stuck = 0, unfinal = 0, finalBefore = null } = rows[0] ?? {}
  if (finalBefore !== null && head.finalHeight !== null && head.finalHeight < finalBefore)
    return {
      state: 'LYING',
      words: `Block ${finalBefore} was final, and now block ${head.finalHeight} is`,
    }
  if (stuck > stuckAfterMinutes * 60)
    return {
      state: 'STUCK',
      words: `No block after ${head.height} for ${stuckAfterMinutes} minutes`,
    }
  if (settings.kind !== 'evm') return FINE
  if (head.finalHeight === null) return { state: 'UNFINAL', words: 'The node names no final block' }
  return (unfinal ?? 0) > settings.unfinalAfterMinutes * 60
    ? {
        state: 'UNFINAL',
        words: `No final block after ${head.finalHeight} for ${settings.unfinalAfterMinutes} minutes`,
      }
    : FINE
}

/**
 * Writes the newest final block of a chain that was followed. One is believed up to the highest
 * block that was read, so that an absurd number counts for nothing.
 */
const keepFinal = async (
  db: Kysely<Schema>,
  { network }: ChainSettings,
  { finalHeight }: Head,
): Promise<void> => {
  if (finalHeight === null) return
  await sql`
    UPDATE chains AS c SET final_height = read.final, final_since = now()
    FROM (SELECT least(max(height), ${finalHeight}) AS final FROM chain_blocks WHERE network_name = ${network}) AS read
    WHERE c.network_name = ${network} AND (c.final_height IS NULL OR c.final_height < read.final)`.execute(
    db,
  )
}

const FINE: Look = { state: 'FINE', words: '' }

/**
 * Writes the state of a network, and `confirmed` unless it is null. Returns true when the state is
 * another one than before.
 */
export const writeState = async (
  db: Kysely<Schema>,
  network: NetworkName,
  { state, words, unread }: Look,
  confirmed: string | null,
): Promise<boolean> => {
  const { rows } = await sql<{ before: string | null }>`
    WITH before AS (SELECT state FROM chains WHERE network_name = ${network})
    INSERT INTO chains AS c (network_name, state, words, confirmed, unread_height)
    VALUES (${network}, ${state}, ${words}, ${confirmed}, ${unread ?? null})
    ON CONFLICT (network_name) DO UPDATE SET
      state = EXCLUDED.state, words = EXCLUDED.words, checked_at = now(), unread_height = EXCLUDED.unread_height,
      since = CASE WHEN c.state = EXCLUDED.state THEN c.since ELSE now() END,
      confirmed = coalesce(EXCLUDED.confirmed, c.confirmed)
    RETURNING (SELECT state FROM before) AS before`.execute(db)
  return rows[0]?.before !== state
}
