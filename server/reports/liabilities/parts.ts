/**
 * The leaves of an investor: what they are owed, cut at random points of the day, each part at a
 * place of its own. The seed of the day leads to places and cuts (docs/decisions/092).
 */
import { createCipheriv } from 'node:crypto'
import { FEWEST_LEAVES, type OwedPart, owedParts } from '@pool/contract/reports/liabilities'
import type { Owed } from '../../ledger/sums/owed.ts'
import { cutsOf, placesKeyOf } from './hashes.ts'

/** The most parts of an investor, while the tree has up to so many leaves. */
const SPLITS = [
  { parts: 8, upTo: 2 ** 20 },
  { parts: 4, upTo: 2 ** 21 },
] as const
/** The parts of each investor of a pool of any size. */
const FEWEST_PARTS = 2

/** The parts of each investor, and the power of two that holds all of them. */
export const shapeFor = (investors: number): { readonly parts: number; readonly size: number } => {
  const found = SPLITS.find(({ parts, upTo }) => investors * parts <= upTo)
  const parts = found?.parts ?? FEWEST_PARTS
  let size = FEWEST_LEAVES
  while (size < investors * parts) size *= 2
  return { parts, size }
}

/**
 * Cuts the amounts of an investor into parts: they lie end to end and are cut at random cents. From
 * two cents on, no part has all of it.
 */
export const splitOwed = (seed: Buffer, userId: string, owed: Owed, parts: number): Owed[] => {
  const sum = owedParts.reduce((all, part) => all + owed[part], 0n)
  const cuts = [0n, ...cutsOf(seed, userId, { sum, parts }), sum]
  return Array.from({ length: parts }, (_, at) => {
    const [from = 0n, to = 0n] = cuts.slice(at, at + 2)
    let begin = 0n
    const within = owedParts.map((part) => {
      const end = begin + owed[part]
      const low = begin > from ? begin : from
      const high = end < to ? end : to
      begin = end
      return [part, high > low ? high - low : 0n] as const
    })
    return Object.fromEntries(within) as Record<OwedPart, bigint>
  })
}

/** A permutation of the leaves of a day: by number of a part, and by place. */
type Places = {
  readonly placeOf: (number: number) => number
  readonly numberAt: (place: number) => number
}

/** Turns of the network. Each hides one half of the bits by the other. */
const TURNS = 12

/**
 * Draws the places of a day. A Feistel network over tables of a cipher's bytes: as secret as the
 * seed, and read both ways without a list of places.
 */
export const placesOf = (seed: Buffer, size: number): Places => {
  const bits = Math.log2(size)
  const low = bits >> 1
  const [lowMask, highMask] = [2 ** low - 1, 2 ** (bits - low) - 1]
  const cipher = createCipheriv('aes-256-ctr', placesKeyOf(seed), Buffer.alloc(16))
  const turns = Array.from({ length: TURNS }, (_, turn) => {
    const inputs = turn % 2 === 0 ? lowMask + 1 : highMask + 1
    const bytes = cipher.update(Buffer.alloc(inputs * 4))
    return Uint32Array.from({ length: inputs }, (_, at) => bytes.readUInt32LE(at * 4))
  })
  const through = (value: number, order: readonly number[]): number => {
    let [right, left] = [value & lowMask, value >>> low]
    for (const turn of order) {
      const table = turns[turn] as Uint32Array
      if (turn % 2 === 0) left ^= (table[right] as number) & highMask
      else right ^= (table[left] as number) & lowMask
    }
    return left * 2 ** low + right
  }
  const forth = turns.map((_, turn) => turn)
  const back = forth.toReversed()
  return {
    placeOf: (number) => through(number, forth),
    numberAt: (place) => through(place, back),
  }
}
