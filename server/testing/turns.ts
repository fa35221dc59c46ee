/** The processor time that work takes from the thread that serves, turn by turn. */

const millisecondsSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/**
 * Milliseconds of a processor that this thread took in its longest turn during `work`, at the best
 * of three times. Other programs take none of it away, so a busy machine measures the same.
 */
export const longestTurn = async (work: () => Promise<unknown>): Promise<number> =>
  Math.min(await longestOf(work), await longestOf(work), await longestOf(work))

const longestOf = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let before = process.threadCpuUsage()
  const look = () => {
    longest = Math.max(longest, millisecondsSince(before))
    before = process.threadCpuUsage()
  }
  const looking = setInterval(look, 1)
  try {
    await work()
  } finally {
    look()
    clearInterval(looking)
  }
  return longest
}

/** Milliseconds of a processor for which other users may wait at most. */
export const MOST_OF_A_TURN = 50
