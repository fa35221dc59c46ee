/** A chart's content: one or two series of dollars over the same points, oldest first. */
export type Picture = {
  readonly shape: 'area' | 'bars'
  readonly points: readonly Point[]
  readonly series: readonly Series[]
  /** The points have an order of their own, and the table keeps it. */
  readonly isOrdered?: true
}

export type Point = {
  /** The long name of the point: 'Nov 21, 2026'. */
  readonly name: string
  /** The label on the axis, for few of the points. */
  readonly tick: string | null
}

export type Series = {
  readonly label: string
  readonly tone: 'accent' | 'amber'
  /** Dollars, one for each point. */
  readonly values: readonly number[]
  /** Draws downwards from zero. */
  readonly below?: true
}

/** True while all figures are zero. */
export const isFlat = ({ series }: Picture): boolean =>
  series.every(({ values }) => values.every((value) => value === 0))
