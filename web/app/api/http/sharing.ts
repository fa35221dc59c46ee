type Plain = Readonly<Record<string, unknown>>

const isPlain = (value: unknown): value is Plain =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)

/**
 * What the same call answered `now`, made of what it answered `before` wherever the two are equal,
 * so that nothing is drawn again that shows what has not changed. As TanStack Query does it by
 * itself, which takes equal dates for different ones.
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
