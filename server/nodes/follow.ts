import type { Kysely } from 'kysely'
import type { ChainSettings } from '../chainsFile.ts'
import type { Schema } from '../db/schema.ts'
import type { Pricing } from '../rates/ratesAt.ts'
import { NodeFault } from './fault.ts'
import type { Block, BlockName, Found, Head, Node, TransactionState, Watched } from './node.ts'
import * as rows from './payments.ts'
import { type Receivers, watchWallets } from './watch.ts'

/** Blocks that are asked for at once. */
const AT_ONCE = 8
/** Blocks of one transaction, which takes longer than reading eight (bench/README, Limits). */
const WRITTEN = 32
/** Blocks after which the reward of a miner can be spent. */
const COINBASE_DEPTH = 100

export type Followed = {
  readonly settings: ChainSettings
  readonly node: Node
  readonly pricing: Pricing
  /** Lasts from look to look, as the node does. */
  readonly receivers: Receivers
  readonly stopping?: AbortSignal | undefined
}

/**
 * Reads a network up to `head` from the newest kept block on its chain, or begins at the head. `db`
 * is one session, which holds the network's lock. Throws a `NodeFault` at an unreadable block.
 */
export const follow = async (db: Kysely<Schema>, followed: Followed, head: Head): Promise<void> => {
  const { node, settings, receivers, pricing } = followed
  const { network } = settings
  await watchWallets(db, network, receivers)
  const start = (await findStart(db, followed)) ?? (await begin(db, followed, head))
  const open = await rows.openPayments(db, network)
  const watched = { receivers, inputs: new Set(open.flatMap(({ inputs }) => inputs)) }
  const reached = await readUpTo(db, followed, { start, head, watched })
  // Blocks that left the chain meanwhile confirm nothing.
  if ((await node.hashAt(reached.height)) !== reached.hash) return
  await rows.confirm(db, network, confirmedBy(settings, reached.height, head))
  if (reached.hash !== head.hash) return
  const pool = await node.mempool?.(watched)
  if (pool) await rows.writeUnconfirmed(db, { network, pricing }, pool)
  await dropUnknown(db, followed, { head, pool })
}

/** The newest kept block that is on the node's chain, after going back to it. */
const findStart = async (
  db: Kysely<Schema>,
  { node, settings: { network } }: Followed,
): Promise<BlockName | undefined> => {
  const kept = await rows.keptBlocks(db, network)
  for (const [at, block] of kept.entries()) {
    if ((await node.hashAt(block.height)) !== block.hash) continue
    if (at > 0) await rows.goBackTo(db, network, block.height)
    return block
  }
  if (kept.length === 0) return undefined
  throw new NodeFault('LYING', `No block from ${kept.at(-1)?.height} on is the one that was read`)
}

/** The head itself is read next, so that a payment in it counts. */
const begin = async (
  db: Kysely<Schema>,
  { node, settings: { network } }: Followed,
  { height }: Head,
): Promise<BlockName> => {
  const below = Math.max(height - 1, 0)
  const hash = await node.hashAt(below)
  if (hash === undefined) throw new NodeFault('AWAY', `Block ${below} cannot be read`)
  const block = { height: below, hash }
  await rows.beginAt(db, network, block)
  return block
}

type Way = { readonly start: BlockName; readonly head: Head; readonly watched: Watched }

/** Returns the last block that was written. It is below the head when the chain has changed. */
const readUpTo = async (
  db: Kysely<Schema>,
  { node, settings: { network }, pricing, stopping }: Followed,
  { start, head, watched }: Way,
): Promise<BlockName> => {
  const readFrom = (from: number) =>
    readBlocks(node, watched, { from, count: Math.min(WRITTEN, head.height - from + 1) })
  let last = start
  let reading = readFrom(start.height + 1)
  while (last.height < head.height && !stopping?.aborted) {
    const from = last.height + 1
    const { read, failure } = await reading
    const linked = linkedTo(last, read)
    if (linked.length === 0) {
      if (failure) throw failure.error
      // The chain has changed, or the node contradicts itself.
      if ((await node.hashAt(last.height)) !== last.hash) return last
      throw new NodeFault(
        read[0] ? 'LYING' : 'AWAY',
        read[0] ? `Block ${from} does not follow block ${last.height}` : `Block ${from} is missing`,
      )
    }
    // The next blocks come while these are written.
    if (linked.length === read.length) reading = readFrom(from + read.length)
    await rows.writeBlocks(db, { network, pricing }, linked)
    last = linked.at(-1) ?? last
    if (failure) throw failure.error
    if (linked.length < read.length) return last
  }
  return last
}

type Range = { readonly from: number; readonly count: number }

/** Reads blocks, eight at once. A failure ends it, and leaves the blocks before it to be used. */
const readBlocks = async (node: Node, watched: Watched, { from, count }: Range) => {
  const read: (Block | undefined)[] = Array.from({ length: count })
  let next = 0
  let failure: { readonly error: unknown } | undefined
  const lane = async (): Promise<void> => {
    while (next < count && !failure) {
      const at = next
      next += 1
      try {
        read[at] = await node.block(from + at, watched)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return { read, failure }
}

/** The blocks that follow one, up to the first gap. */
const linkedTo = ({ hash }: BlockName, read: readonly (Block | undefined)[]): Block[] => {
  const linked: Block[] = []
  let parent = hash
  for (const block of read) {
    if (block?.parent !== parent) break
    linked.push(block)
    parent = block.hash
  }
  return linked
}

/** The heights up to which payments are confirmed once `height` was read. */
export const confirmedBy = (settings: ChainSettings, height: number, { finalHeight }: Head) => {
  if (settings.kind === 'bitcoin')
    return {
      upTo: height - settings.confirmations + 1,
      coinbaseUpTo: height - COINBASE_DEPTH + 1,
    }
  const upTo = Math.min(height, finalHeight ?? -1)
  return { upTo, coinbaseUpTo: upTo }
}

type Reached = { readonly head: Head; readonly pool: Found | undefined }

/** Ends unconfirmed payments that neither a block nor the node's pool has. */
const dropUnknown = async (
  db: Kysely<Schema>,
  { node, settings: { network } }: Followed,
  { head, pool }: Reached,
): Promise<void> => {
  const pooled = new Set(pool?.payments.map(({ transaction }) => transaction))
  const unseen = (await rows.openPayments(db, network)).filter(
    ({ transaction }) => !pooled.has(transaction),
  )
  const gone: string[] = []
  for (let from = 0; from < unseen.length; from += AT_ONCE) {
    const asked = unseen.slice(from, from + AT_ONCE)
    const found = await Promise.all(asked.map(({ transaction }) => node.transaction(transaction)))
    for (const [at, { id }] of asked.entries()) if (isGone(found[at], head)) gone.push(id)
  }
  // A block that came meanwhile may have them.
  if (gone.length > 0 && (await node.head()).hash === head.hash) await rows.drop(db, gone)
}

/** True of an unknown transaction, and of one in a block that was read without the payment. */
const isGone = (found: TransactionState | undefined, head: Head): boolean =>
  found?.state === 'UNKNOWN' || (found?.state === 'MINED' && found.height <= head.height)
