/** Caches a reading for `seconds`, unless it fails. */
export const cachedFor = <Value>(
  seconds: number,
  read: () => Promise<Value>,
): (() => Promise<Value>) => {
  let cached: { readonly until: number; readonly value: Promise<Value> } | undefined
  return () => {
    if (cached && performance.now() < cached.until) return cached.value
    const reading = { until: performance.now() + seconds * 1_000, value: read() }
    cached = reading
    reading.value.catch(() => {
      if (cached === reading) cached = undefined
    })
    return reading.value
  }
}
