import { refusal } from '@pool/contract/refusals'

type Asked<Key, Value> = {
  readonly key: Key
  readonly resolve: (value: Value | undefined) => void
  readonly reject: (reason: unknown) => void
}

/**
 * How many questions are put to the database at once; what is asked meanwhile goes together in the
 * next.
 */
const UNDER_WAY = 2
/**
 * How long an answer is waited for, in milliseconds, whatever it waits for: its turn, a connection,
 * a lock.
 */
const PATIENCE = 10_000

/**
 * Looks single things up by a statement that looks up many: what is asked while others are being
 * answered goes together in the next question, so that under load one answer serves all who wait.
 * No delay: alone, a question goes at once. An answer is never older than its question. Rejects
 * with the refusal `unavailable` when there is none for too long.
 */
export const gathered = <Key, Value>(
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): ((key: Key) => Promise<Value | undefined>) => {
  let waiting = new Set<Asked<Key, Value>>()
  let underWay = 0

  const answer = async (): Promise<void> => {
    underWay += 1
    // What arrived with it, in the same turn of the event loop, goes along.
    await new Promise(setImmediate)
    while (waiting.size > 0) {
      const together = [...waiting]
      waiting = new Set()
      try {
        const found = await ask([...new Set(together.map(({ key }) => key))])
        for (const { key, resolve } of together) resolve(found.get(key))
      } catch (error) {
        for (const { reject } of together) reject(error)
      }
    }
    underWay -= 1
  }

  return (key) => {
    const { promise, resolve, reject } = Promise.withResolvers<Value | undefined>()
    const asked = { key, resolve, reject }
    const patience = setTimeout(() => {
      waiting.delete(asked)
      reject(refusal('unavailable'))
    }, PATIENCE)
    waiting.add(asked)
    if (underWay < UNDER_WAY) void answer()
    return promise.finally(() => clearTimeout(patience))
  }
}
