type Plain = Readonly<Record<string, unknown>>

const isPlain = (value: unknown): value is Plain =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)

/**
 * Reuses the parts of `before` that equal those of `now`, so unchanged parts are not drawn again.
 * TanStack Query's own version takes equal dates for different ones.
 */
export const shareEqual = (before: unknown, now: unknown): unknown => {
  if (before instanceof Date && now instanceof Date)
    return before.getTime() === now.getTime() ? before : now
  if (!isPlain(before) || !isPlain(now) || Array.isArray(before) !== Array.isArray(now)) return now
  const shared = Object.entries(now).map(
    ([key, value]) => [key, shareEqual(before[key], value)] as const,
  )
  const isSame =
    shared.length === Object.keys(before).length &&
    shared.every(([key, value]) => key in before && Object.is(value, before[key]))
  if (isSame) return before
  return Array.isArray(now) ? shared.map(([, value]) => value) : Object.fromEntries(shared)
}
