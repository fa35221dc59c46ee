import { setImmediate as afterOthers } from 'node:timers/promises'

/** Milliseconds of work after which others have a turn. */
const PIECE_MS = 5

/** Does `work` for each item, in pieces. Others are served between them. */
export const inPieces = async <Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Result,
): Promise<Result[]> => {
  const results: Result[] = []
  let began = performance.now()
  for (const item of items) {
    results.push(work(item))
    if (performance.now() - began < PIECE_MS) continue
    await afterOthers()
    began = performance.now()
  }
  return results
}
