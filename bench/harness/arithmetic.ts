/** The value below which a share (0 to 1) of the values lies, in any order. NaN without values. */
export const percentile = (values: readonly number[] | Float64Array, share: number): number => {
  const sorted = Float64Array.from(values).sort()
  return (
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ??
    Number.NaN
  )
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[half] ?? Number.NaN)
    : ((sorted[half - 1] ?? Number.NaN) + (sorted[half] ?? Number.NaN)) / 2
}

/** Rounds to three significant digits. */
export const rounded = (value: number): number =>
  Number.isFinite(value) ? Number(value.toPrecision(3)) : value

/** A measured figure with its target. The name has the unit. */
export type Figure = {
  readonly name: string
  readonly value: number
  /** The distance of the middle half of its rounds, as a share of the value. */
  readonly spread?: number
  readonly least?: number
  readonly most?: number
  /** Stands in the result's file and in docs/scaling.md, not in the table of bench/README.md. */
  readonly detail?: true
  /** One of the few that judge the design. A run prints them last, README first. */
  readonly decides?: true
}

/** True when a figure meets its target; undefined without a target. */
export const isReached = ({ value, least, most }: Figure): boolean | undefined =>
  least === undefined && most === undefined
    ? undefined
    : value >= (least ?? Number.NEGATIVE_INFINITY) && value < (most ?? Number.POSITIVE_INFINITY)

/** The line through points, by least squares of its relative errors. */
export const fitLine = (
  points: readonly (readonly [number, number])[],
): { readonly base: number; readonly slope: number } => {
  const weighted = points.map(([x, y]) => ({ x, y, weight: 1 / y ** 2 }))
  const sum = (of: (point: (typeof weighted)[number]) => number) =>
    weighted.reduce((total, point) => total + point.weight * of(point), 0)
  const [all, x, y] = [sum(() => 1), sum((point) => point.x), sum((point) => point.y)]
  const slope =
    (all * sum((point) => point.x * point.y) - x * y) /
    (all * sum((point) => point.x ** 2) - x ** 2)
  return { base: (y - slope * x) / all, slope }
}
