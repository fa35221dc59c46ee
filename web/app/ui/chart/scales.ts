import { formatDollars } from '@pool/contract/base/money'
import { nice, ticks } from 'd3-array'
import type { Picture, Series } from './picture.ts'

/** The drawing's area within its element, in pixels. */
export type Frame = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The height of every plot in pixels, reserved before it is drawn. */
export const PLOT_HEIGHT = 208
const LABEL_WIDTH = 7.2

const short = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})

/** Withdrawn amounts lie below zero. */
export const drawn = ({ below }: Pick<Series, 'below'>, value: number): number =>
  below && value !== 0 ? -value : value

/** The vertical axis: labelled ticks, and the place of a value in pixels from the top. */
export type Axis = {
  readonly ticks: readonly { readonly value: number; readonly label: string }[]
  readonly y: (value: number) => number
}

const topOf = ({ series }: Picture): number => (series.length > 1 ? 32 : 10)
const BOTTOM = PLOT_HEIGHT - 26

/** An axis over all values and zero, with round ends. */
export const axisOf = (picture: Picture): Axis => {
  const { series } = picture
  const top = topOf(picture)
  const values = series.flatMap((each) => each.values.map((value) => drawn(each, value)))
  // Few ticks. A zero in the middle needs some on both sides.
  const count = series.some(({ below }) => below) ? 4 : 3
  const [low, high] = nice(Math.min(0, ...values), Math.max(0.01, ...values), count)
  const marks = ticks(low, high, count)
  const cents = marks.some((mark) => !Number.isInteger(mark))
  const write = (mark: number) => (cents ? formatDollars(mark) : short.format(mark))
  return {
    ticks: marks.map((value) => ({ value, label: write(value) })),
    y: (value) => BOTTOM - ((value - low) / (high - low)) * (BOTTOM - top),
  }
}

/** Room for the legend, the longest label and the names. */
export const frameFor = (picture: Picture, width: number, labels: readonly string[]): Frame => ({
  left: Math.ceil(Math.max(...labels.map(({ length }) => length)) * LABEL_WIDTH + 10),
  right: width - 8,
  top: topOf(picture),
  bottom: BOTTOM,
})

/** The middle of each point in pixels from the left, and the distance between two. */
export type Places = {
  readonly step: number
  readonly x: (index: number) => number
  readonly nearest: (x: number) => number
}

/** Bars need room on both sides; a line runs from edge to edge. */
export const placesOf = ({ shape, points }: Picture, { left, right }: Frame): Places => {
  const count = points.length
  const step = shape === 'bars' ? (right - left) / count : (right - left) / Math.max(1, count - 1)
  const first = shape === 'bars' ? left + step / 2 : left
  return {
    step,
    x: (index) => first + index * step,
    nearest: (x) => Math.max(0, Math.min(count - 1, Math.round((x - first) / step))),
  }
}
