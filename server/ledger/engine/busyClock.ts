/** Counts the time in which any work runs. */
export type BusyClock = {
  readonly during: <T>(work: () => Promise<T>) => Promise<T>
  /** Milliseconds so far. */
  readonly ms: () => number
}

/** Works that overlap count once. */
export const openBusyClock = (): BusyClock => {
  let running = 0
  let since = 0
  let before = 0
  return {
    during: async (work) => {
      if (running === 0) since = performance.now()
      running += 1
      try {
        return await work()
      } finally {
        running -= 1
        if (running === 0) before += performance.now() - since
      }
    },
    ms: () => before + (running === 0 ? 0 : performance.now() - since),
  }
}
