import { refusal } from '@pool/contract/base/refusals'

type LookUp<Key, Value> = {
  readonly key: Key
  readonly resolve: (value: Value | undefined) => void
  readonly reject: (reason: unknown) => void
}

/** Most queries that run at once. */
const MOST_QUERIES = 2
/** Timeout of a look-up in milliseconds. It covers the turn, a connection and a lock. */
const LOOK_UP_TIMEOUT_MS = 10_000

/**
 * Batches single look-ups: requests that arrive while a query runs share the next one. A result is
 * never older than its look-up. Rejects with `unavailable` at the timeout.
 */
export const batched = <Key, Value>(
  find: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): ((key: Key) => Promise<Value | undefined>) => {
  let waiting = new Set<LookUp<Key, Value>>()
  let running = 0

  const run = async (): Promise<void> => {
    running += 1
    // Look-ups of one event-loop turn share the first query.
    await new Promise(setImmediate)
    while (waiting.size > 0) {
      const batch = [...waiting]
      waiting = new Set()
      try {
        const found = await find([...new Set(batch.map(({ key }) => key))])
        for (const { key, resolve } of batch) resolve(found.get(key))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    running -= 1
  }

  return (key) => {
    const { promise, resolve, reject } = Promise.withResolvers<Value | undefined>()
    const lookUp = { key, resolve, reject }
    const timeout = setTimeout(() => {
      waiting.delete(lookUp)
      const cause = new Error(`no answer to a look-up within ${LOOK_UP_TIMEOUT_MS} ms`)
      reject(Object.assign(refusal('unavailable'), { cause }))
    }, LOOK_UP_TIMEOUT_MS)
    waiting.add(lookUp)
    if (running < MOST_QUERIES) void run()
    return promise.finally(() => clearTimeout(timeout))
  }
}
