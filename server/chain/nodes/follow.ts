import type { Kysely } from 'kysely'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import type { Pricing } from '../rates/ratesAt.ts'
import { outputOf } from './bitcoinSpendings.ts'
import type { Brake } from './brake.ts'
import { NodeFault } from './fault.ts'
import type {
  Block,
  BlockName,
  Head,
  Node,
  TransactionState,
  Unspent,
  Watched,
  WatchedActivity,
} from './node.ts'
import * as rows from './payments.ts'
import { skipBlocks, skippedRanges } from './skips.ts'
import { confirmSpendings, dropSpendings, openSpendings, readUnspent } from './spendings.ts'
import { type Receivers, watchWallets } from './watch.ts'

/** Blocks that are asked for at once. */
const AT_ONCE = 8
/** Blocks below the first one that are kept, at least, without being read. */
const KEPT_AT_FIRST = 100
/** Blocks of one transaction, which takes longer than reading eight (bench/README, Limits). */
const WRITTEN = 32
/** Longest reading of one look. The next goes on, so that the state is not `STOPPED`. */
const LOOK_MS = 120_000
/** Blocks after which the reward of a miner can be spent. */
const COINBASE_DEPTH = 100

export type Followed = {
  readonly settings: ChainSettings
  readonly node: Node
  readonly pricing: Pricing
  readonly keys: OnRecord['keys']
  /** Lasts from look to look, as the node does. */
  readonly receivers: Receivers
  /** Missing where nothing else works beside. */
  readonly brake?: Brake
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
  const start = (await findStart(db, followed, head)) ?? (await begin(db, followed, head))
  const open = [...(await rows.openPayments(db, network)), ...(await openSpendings(db, network))]
  const watched = {
    receivers,
    inputs: new Set(open.flatMap(({ inputs }) => inputs)),
    ...(settings.kind === 'bitcoin' && { unspent: await readUnspent(db, network) }),
  }
  const reached = await readUpTo(db, followed, { start, head, watched })
  // Blocks that left the chain meanwhile confirm nothing.
  if ((await node.hashAt(reached.height)) !== reached.hash) return
  const confirmed = confirmedBy(settings, reached.height, head)
  await rows.confirm(db, network, confirmed)
  await confirmSpendings(db, network, confirmed.upTo)
  if (reached.hash !== head.hash) return
  const pool = await node.mempool?.(watched)
  if (pool) await rows.writeUnconfirmed(db, { network, pricing }, pool)
  await dropUnknown(db, followed, { head, pool })
}

/**
 * The newest kept block on the node's chain, after going back to it. The node must show another
 * block at each height that goes, and a longer branch where a confirmed payment goes.
 */
const findStart = async (
  db: Kysely<Schema>,
  { node, keys, settings: { network } }: Followed,
  head: Head,
): Promise<BlockName | undefined> => {
  const kept = await rows.keptBlocks(db, network)
  const [top] = kept
  if (!top) return undefined
  if (node.isFinal) return requireOn(node, top)
  for (const [at, block] of kept.entries()) {
    const hash = await node.hashAt(block.height)
    if (hash === undefined) throw lacks(block)
    if (hash !== block.hash) continue
    if (at === 0) return block
    if (head.height <= top.height && (await rows.hasConfirmedAbove(db, network, block.height)))
      throw new NodeFault(
        'BEHIND',
        `The node has another block ${top.height}, and none above it, which proves no other branch`,
      )
    await rows.goBackTo({ db, keys }, network, block.height)
    return block
  }
  throw new NodeFault('LYING', `No block from ${kept.at(-1)?.height} on is the one that was read`)
}

const lacks = ({ height }: BlockName) =>
  new NodeFault('BEHIND', `The node has no block ${height}, which was read before`)

/** Throws unless the node still has a final block. */
const requireOn = async (node: Node, { height, hash }: BlockName): Promise<BlockName> => {
  const found = await node.hashAt(height)
  if (found === hash) return { height, hash }
  throw found === undefined
    ? lacks({ height, hash })
    : new NodeFault('LYING', `Block ${height} was final, and now it is another one`)
}

/**
 * The head itself is read next, so that a payment in it counts. Blocks below it are kept, since a
 * reorganisation may begin there.
 */
const begin = async (
  db: Kysely<Schema>,
  { node, settings: { network } }: Followed,
  head: Head,
): Promise<BlockName> => {
  const kept = head.below ? [head.below] : await blocksBelow(node, head)
  const [block] = kept
  if (!block) throw new NodeFault('AWAY', `Block ${head.height} has none below`)
  await rows.beginAt(db, network, kept)
  return block
}

/** The blocks right below a head, the highest first. */
const blocksBelow = async (node: Node, head: Head): Promise<BlockName[]> => {
  const below = Math.max(head.height - 1, 0)
  const kept: BlockName[] = []
  for (let top = below; top >= 0 && kept.length < KEPT_AT_FIRST; top -= AT_ONCE) {
    const heights = Array.from({ length: Math.min(AT_ONCE, top + 1) }, (_, at) => top - at)
    const hashes = await Promise.all(heights.map((each) => node.hashAt(each)))
    for (const [at, hash] of hashes.entries())
      if (hash !== undefined) kept.push({ height: top - at, hash })
  }
  if (kept[0]?.height !== below) throw new NodeFault('AWAY', `Block ${below} cannot be read`)
  return kept
}

/** Outputs of blocks are added to `unspent`, since later blocks may spend them. */
type Watching = Watched & { readonly unspent?: Map<string, Unspent> }
type Way = { readonly start: BlockName; readonly head: Head; readonly watched: Watching }

/** A fault of one block's answer names the block. */
const unreadable = (error: Error, height: number): Error =>
  error instanceof NodeFault ? new NodeFault(error.state, error.message, height) : error

/** Returns the last block that was written. It is below the head when the chain has changed. */
const readUpTo = async (
  db: Kysely<Schema>,
  { node, settings, pricing, keys, brake, stopping }: Followed,
  { start, head, watched }: Way,
): Promise<BlockName> => {
  const { network } = settings
  const { upTo } = confirmedBy(settings, head.height, head)
  let last = start
  // Numbers above the last block may have none.
  let reached = start.height
  const until = performance.now() + LOOK_MS
  const readNext = () => {
    const count = Math.min(WRITTEN, head.height - reached)
    const from = reached + 1
    return readBlocks(
      node,
      watched,
      Array.from({ length: count }, (_, at) => from + at),
    )
  }
  let reading = readNext()
  while (reached < head.height && !stopping?.aborted && performance.now() < until) {
    const pause = brake?.()
    const from = reached + 1
    const read = await reading
    // A stop ends calls under way, and the rest would be half of what the node said.
    if (stopping?.aborted) break
    const linked: Block[] = []
    let stop: Error | undefined
    for (const [at, each] of read.entries()) {
      const height = from + at
      const below = linked.at(-1) ?? last
      if (each instanceof Error) stop = unreadable(each, height)
      else if (each?.parent === below.hash) linked.push(each)
      // The block after a skipped number proves the skip, as it names the one below as its parent.
      else if (each || height === head.height || !(await node.isSkipped?.(height)))
        stop = each
          ? new NodeFault('LYING', `Block ${height} does not follow block ${below.height}`)
          : new NodeFault('AWAY', `Block ${height} is missing`, height)
      if (stop) break
      reached = height
    }
    const whole = await withChained(node, watched, linked)
    // The chain has changed between the two readings.
    if (whole === undefined) return last
    const isMore = !stop && reached < head.height
    // While these are written. By now it is known which outputs of them are ours.
    if (isMore) reading = readNext()
    if (linked.length > 0) await rows.writeBlocks({ db, keys }, { network, pricing }, whole)
    else if (stop) {
      // The chain has changed, or the node contradicts itself.
      if ((await node.hashAt(last.height)) !== last.hash) return last
      const at = stop instanceof NodeFault && stop.block
      const skipped = at && (await skipBlocks({ db, keys }, { network, node, at, upTo }))
      if (!skipped) throw stop
      last = skipped
      reached = skipped.height
      reading = readNext()
      continue
    }
    last = linked.at(-1) ?? last
    if (stop) return last
    if (!isMore) break
    await reading
    // A block at the head waits for nothing.
    await pause?.(linked)
  }
  return last
}

/**
 * Reads blocks again that spend a payment of another one of them, which was not known when they
 * were read. Undefined when one is no more on the chain.
 */
const withChained = async (
  node: Node,
  watched: Watching,
  blocks: readonly Block[],
): Promise<readonly Block[] | undefined> => {
  const { unspent } = watched
  if (!unspent) return blocks
  const fresh = blocks
    .flatMap(({ payments }) => payments)
    .filter((each) => !unspent.has(outputOf(each)))
  for (const { address, units, ...payment } of fresh)
    unspent.set(outputOf(payment), { address, units })
  const spends = ({ spentFrom }: Block) => fresh.some((each) => spentFrom?.has(each.transaction))
  const heights = blocks.filter(spends).map(({ height }) => height)
  const again = new Map<number, Block>()
  for (const [at, block] of (await readBlocks(node, watched, heights)).entries()) {
    if (block instanceof Error) throw block
    if (block) again.set(heights[at] ?? 0, block)
  }
  const whole = blocks.map((block) =>
    heights.includes(block.height) ? again.get(block.height) : block,
  )
  const isSame = whole.every((block, at) => block?.hash === blocks[at]?.hash)
  return isSame ? (whole as Block[]) : undefined
}

/** Reads blocks, eight at once. A failure ends it, and leaves the blocks before it to be used. */
const readBlocks = async (
  node: Node,
  watched: Watched,
  heights: readonly number[],
): Promise<readonly (Block | Error | undefined)[]> => {
  const read: (Block | Error | undefined)[] = heights.map(() => undefined)
  const left = heights.entries()
  let hasFailed = false
  const lane = async (): Promise<void> => {
    for (const [at, height] of left) {
      if (hasFailed) return
      try {
        read[at] = await node.block(height, watched)
      } catch (error) {
        hasFailed = true
        read[at] = error instanceof Error ? error : new Error(String(error))
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return read
}

/** The heights up to which payments are confirmed once `height` was read. */
export const confirmedBy = (
  settings: ChainSettings,
  height: number,
  { finalHeight }: Head,
): rows.Confirmed => {
  if (settings.kind === 'solana') return { upTo: height, coinbaseUpTo: height }
  const after = (confirmations: number): number => height - confirmations + 1
  const { smallUpTo: dollars, smallConfirmations } = settings
  const small =
    smallConfirmations === undefined ? undefined : { upTo: after(smallConfirmations), dollars }
  if (settings.kind === 'bitcoin')
    return { upTo: after(settings.confirmations), coinbaseUpTo: after(COINBASE_DEPTH), small }
  const upTo = Math.min(height, finalHeight ?? -1)
  return { upTo, coinbaseUpTo: upTo, small }
}

type Reached = { readonly head: Head; readonly pool: WatchedActivity | undefined }

/** Ends unconfirmed payments and spendings that neither a block nor the node's pool has. */
const dropUnknown = async (
  db: Kysely<Schema>,
  { node, settings: { network } }: Followed,
  { head, pool }: Reached,
): Promise<void> => {
  const found = [...(pool?.payments ?? []), ...(pool?.spendings ?? [])]
  const pooled = new Set(found.map(({ transaction }) => transaction))
  const open = [...(await rows.openPayments(db, network)), ...(await openSpendings(db, network))]
  const unseen = open.filter(({ transaction }) => !pooled.has(transaction))
  const skipped = await skippedRanges(db, network)
  // A transaction of a skipped block was not read, and is not gone.
  const wasSkipped = (height: number) =>
    skipped.some(({ from, to }) => from <= height && height <= to)
  const gone: string[] = []
  for (let from = 0; from < unseen.length; from += AT_ONCE) {
    const asked = unseen.slice(from, from + AT_ONCE)
    const found = await Promise.all(asked.map(({ transaction }) => node.transaction(transaction)))
    for (const [at, { id }] of asked.entries()) {
      const state = found[at]
      if (state?.state === 'MINED' && wasSkipped(state.height)) continue
      if (isGone(state, head)) gone.push(id)
    }
  }
  // A block that came meanwhile may have them.
  if (gone.length === 0 || (await node.head()).hash !== head.hash) return
  await rows.drop(db, gone)
  await dropSpendings(db, gone)
}

/** True of an unknown transaction, and of one in a block that was read without the payment. */
const isGone = (found: TransactionState | undefined, head: Head): boolean =>
  found?.state === 'UNKNOWN' || (found?.state === 'MINED' && found.height <= head.height)
