/** The least number of points, so that a single amount does not fill the drawing. */
const LEAST_POINTS = 7

/** The index of the first point to draw: one before the first amount of any series. */
export const beginning = (...series: readonly (readonly number[])[]): number => {
  const count = Math.max(...series.map(({ length }) => length))
  const first = series
    .map((values) => values.findIndex((value) => value !== 0))
    .reduce((least, index) => (index >= 0 && index < least ? index : least), count)
  return Math.max(0, Math.min(first - 1, count - LEAST_POINTS))
}
