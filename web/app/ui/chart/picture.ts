/** What a chart shows: one or two series of dollars over the same points, oldest first. */
export type Picture = {
  readonly shape: 'area' | 'bars'
  readonly points: readonly Point[]
  readonly series: readonly Series[]
}

export type Point = {
  /** What the point is called where there is room: 'Nov 21, 2026'. */
  readonly name: string
  /** What stands below it on the axis, on few of the points only. */
  readonly tick: string | null
}

export type Series = {
  readonly label: string
  readonly tone: 'accent' | 'amber'
  /** Dollars, one for each point. */
  readonly values: readonly number[]
  /** Drawn downwards from zero: what leaves. */
  readonly below?: true
}

/** Whether there is nothing to see yet. */
export const isFlat = ({ series }: Picture): boolean =>
  series.every(({ values }) => values.every((value) => value === 0))
