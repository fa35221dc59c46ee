import { openThread } from '../../base/process/thread.ts'
import type { NumberedLeaf, Shape } from './leaves.ts'
import type { Level } from './tree.ts'

/** Eight million leaves, as many as the largest pool has, take a minute and 400 MB. */
const thread = openThread<typeof import('./treeWork.ts')>(
  new URL('./treeWork.ts', import.meta.url),
  { mostMs: 300_000, mostMegabytes: 1_024 },
)

/** The leaves of a day, and what is made of them. */
export type DayTree = {
  readonly add: (rows: readonly NumberedLeaf[]) => Promise<void>
  /** The nodes above each block of leaves, with padding for those without a row. */
  readonly blocks: () => Promise<Level>
}

let opened = 0

/** Makes the tree of a day in a thread: a pool of a million investors has millions of leaves. */
export const withDayTree = async <Result>(
  shape: Shape,
  work: (tree: DayTree) => Promise<Result>,
): Promise<Result> => {
  opened += 1
  const id = opened
  try {
    await thread.call('begin', id, shape)
    return await work({
      add: (rows) => thread.call('add', id, rows),
      blocks: async () => Buffer.from(await thread.call('blocks', id)),
    })
  } finally {
    thread.tell('close', id)
  }
}
