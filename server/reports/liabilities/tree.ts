/** Nodes side by side in memory: 40 bytes each, so that a million leaves take 40 MB. */
import { setTimeout as wait } from 'node:timers/promises'
import { above, type Node } from './hashes.ts'

/** Leaves below a node that is kept. A path is computed from these, and from the kept nodes. */
export const BLOCK = 512
/** Bytes of a hash, and of a node with its sum. */
const HASH = 32
const NODE_BYTES = 40

/** Nodes of one level from the left, packed. */
export type Level = Buffer

export const newLevel = (size: number): Level => Buffer.alloc(size * NODE_BYTES)
export const sizeOf = (level: Level): number => level.length / NODE_BYTES

export const nodeAt = (level: Level, place: number): Node => {
  const at = place * NODE_BYTES
  return { hash: level.subarray(at, at + HASH), sum: level.readBigUInt64BE(at + HASH) }
}

export const setNode = (level: Level, place: number, { hash, sum }: Node): void => {
  hash.copy(level, place * NODE_BYTES)
  level.writeBigUInt64BE(sum, place * NODE_BYTES + HASH)
}

/**
 * Nodes of one piece of work, about 1 ms of CPU. Then the work sleeps RESTS times as long, so that
 * it does not delay the ledger.
 */
const AT_ONCE = 256
const RESTS = 4

/** Sleeps in proportion to a piece of work that began at a moment of `performance.now`. */
export const sleepProportionally = (began: number): Promise<void> =>
  wait((performance.now() - began) * RESTS)

/** Does `work` for each place, in pieces with rests. Each place has so many nodes. */
export const eachPlace = async (
  size: number,
  work: (place: number) => void,
  nodes = 1,
): Promise<void> => {
  const atOnce = Math.ceil(AT_ONCE / nodes)
  for (let from = 0; from < size; from += atOnce) {
    const began = performance.now()
    for (let place = from; place < Math.min(from + atOnce, size); place += 1) work(place)
    if (from + atOnce < size) await sleepProportionally(began)
  }
}

/** The level above, half as wide. */
const raised = (level: Level): Level => {
  const size = sizeOf(level) / 2
  const higher = newLevel(size)
  for (let place = 0; place < size; place += 1)
    setNode(higher, place, above(nodeAt(level, 2 * place), nodeAt(level, 2 * place + 1)))
  return higher
}

/** The nodes above each block of leaves. */
export const blocksOf = async (leaves: Level): Promise<Level> => {
  const blocks = newLevel(sizeOf(leaves) / BLOCK)
  for (let block = 0; block < sizeOf(blocks); block += 1) {
    const began = performance.now()
    const bytes = BLOCK * NODE_BYTES
    setNode(blocks, block, topOf(leaves.subarray(block * bytes, (block + 1) * bytes)))
    await sleepProportionally(began)
  }
  return blocks
}

/** The node at the top of a level, whose size is a power of two. */
export const topOf = (level: Level): Node =>
  sizeOf(level) === 1 ? nodeAt(level, 0) : topOf(raised(level))

/** The other child of each node on the way from a place of a level to its top. */
export const pathIn = (level: Level, place: number): readonly Node[] =>
  sizeOf(level) === 1
    ? []
    : [nodeAt(level, place ^ 1), ...pathIn(raised(level), Math.floor(place / 2))]
