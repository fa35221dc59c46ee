const TIMEOUT_MS = 2_000

const tooLate = (): Promise<never> =>
  new Promise((_, reject) =>
    setTimeout(reject, TIMEOUT_MS, new Error(`no answer within ${TIMEOUT_MS} ms`)).unref(),
  )

/** Rejects where the answer takes more than two seconds. */
export const inTime = <T>(asked: Promise<T>): Promise<T> => Promise.race([asked, tooLate()])

/**
 * Shares one call among those who ask meanwhile, so that a hanging database costs one connection.
 * Rejects after two seconds.
 */
export const bounded = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let asking: Promise<T> | undefined
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return inTime(asking)
  }
}
