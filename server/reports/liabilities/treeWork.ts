/** Makes trees of days, in a thread (docs/decisions/079). */
import { type NumberedLeaf, newDay, type Shape } from './leaves.ts'
import { blocksOf, type Level } from './tree.ts'

/** Days that are being made, by their number. */
const days = new Map<number, ReturnType<typeof newDay>>()

const dayOf = (id: number) => {
  const day = days.get(id)
  if (!day) throw new Error('the thread that made the tree has ended')
  return day
}

export const begin = (id: number, shape: Shape): void =>
  // A buffer arrives as plain bytes.
  void days.set(id, newDay({ ...shape, seed: Buffer.from(shape.seed) }))

export const add = (id: number, rows: readonly NumberedLeaf[]): Promise<void> => dayOf(id).add(rows)

export const blocks = async (id: number): Promise<Level> => blocksOf(await dayOf(id).filled())

/** Forgets a day, made or not. */
export const close = (id: number): void => void days.delete(id)
