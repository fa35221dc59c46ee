/** The leaves of a day, of one investor or several, for files of each version. */
import type { LiabilitiesFile } from '@pool/contract/reports/liabilities'
import type { Owed, OwedTo } from '../../ledger/sums/owed.ts'
import { leafOf, type Node, paddingOf, partSaltOf, saltOf } from './hashes.ts'
import { placesOf, splitOwed } from './parts.ts'
import { eachPlace, type Level, newLevel, setNode } from './tree.ts'

/** A row of a day. Its number is the place of its leaf in version 1, and leads to places in 2. */
export type NumberedLeaf = OwedTo & { readonly number: number }

/** A part of an investor with its place and its secret. */
export type Part = { readonly place: number; readonly owed: Owed; readonly salt: Buffer }

/** The form of a day: its version, seed and number of leaves, and the parts of each investor. */
export type Shape = {
  readonly version: LiabilitiesFile['version']
  readonly day: string
  readonly seed: Buffer
  readonly size: number
  readonly parts: number
}

export const shapeOf = (file: LiabilitiesFile, seed: Buffer): Shape => ({
  version: file.version,
  day: file.day,
  seed,
  size: file.leaves,
  parts: file.version === 1 ? 1 : file.parts,
})

/** Leads from each row of a day to its parts with their places, and from a place to its row. */
export const openDay = ({ version, day, seed, size, parts }: Shape) => {
  const places = version === 1 ? undefined : placesOf(seed, size)
  const partsOf = ({ number, userId, ...owed }: NumberedLeaf): readonly Part[] =>
    places
      ? splitOwed(seed, userId, owed, parts).map((part, at) => ({
          place: places.placeOf(number * parts + at),
          owed: part,
          salt: partSaltOf(seed, userId, at),
        }))
      : [{ place: number, owed, salt: saltOf(seed, userId) }]
  return {
    partsOf,
    nodeOf: (userId: string, { owed, salt }: Part): Node => leafOf(day, { ...owed, userId }, salt),
    numberAt: (place: number): number =>
      places ? Math.floor(places.numberAt(place) / parts) : place,
  }
}

/** Fills the leaves of a day with rows, and then with padding. */
export const newDay = (shape: Shape) => {
  const { size, seed } = shape
  const { partsOf, nodeOf } = openDay(shape)
  const [leaves, taken] = [newLevel(size), new Uint8Array(size)]
  return {
    add: (rows: readonly NumberedLeaf[]): Promise<void> =>
      eachPlace(
        rows.length,
        (at) => {
          const row = rows[at]
          if (!row) return
          for (const part of partsOf(row)) {
            taken[part.place] = 1
            setNode(leaves, part.place, nodeOf(row.userId, part))
          }
        },
        shape.parts,
      ),
    filled: async (): Promise<Level> => {
      await eachPlace(size, (place) => {
        if (!taken[place]) setNode(leaves, place, paddingOf(seed, place))
      })
      return leaves
    },
  }
}
