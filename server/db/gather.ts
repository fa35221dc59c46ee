type Asked<Key, Value> = {
  readonly key: Key
  readonly resolve: (value: Value | undefined) => void
  readonly reject: (reason: unknown) => void
}

/** How many questions are put to the database at once; what is asked meanwhile goes together in the next. */
const UNDER_WAY = 2

/**
 * Looks single things up by a statement that looks up many: what is asked while others are being answered goes together in the next question, so that
 * under load one answer serves all who wait. No timer: alone, a question goes at once. An answer is never older than its question.
 */
export const gathered = <Key, Value>(
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): ((key: Key) => Promise<Value | undefined>) => {
  let waiting: Asked<Key, Value>[] = []
  let underWay = 0

  const answer = async (): Promise<void> => {
    underWay += 1
    // What arrived with it, in the same turn of the event loop, goes along.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const together = waiting
      waiting = []
      try {
        const found = await ask([...new Set(together.map(({ key }) => key))])
        for (const { key, resolve } of together) resolve(found.get(key))
      } catch (error) {
        for (const { reject } of together) reject(error)
      }
    }
    underWay -= 1
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (underWay < UNDER_WAY) void answer()
    })
}
