import { useElementSize } from '@mantine/hooks'
import { formatDollars } from '@pool/contract/base/money'
import { area, curveStepAfter, line } from 'd3-shape'
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { common } from '../../i18n/common.ts'
import { HIDDEN_AMOUNT, useAmountsHidden } from '../hiddenAmounts.ts'
import { Money } from '../Money.tsx'
import classes from './Plot.module.css'
import type { Picture, Series } from './picture.ts'
import {
  type Axis,
  axisOf,
  drawn,
  type Frame,
  frameFor,
  PLOT_HEIGHT,
  type Places,
  placesOf,
} from './scales.ts'

type Drawing = {
  readonly picture: Picture
  readonly frame: Frame
  readonly axis: Axis
  readonly places: Places
}

const Grid = ({ picture, frame, axis, places, hidden }: Drawing & { readonly hidden: boolean }) => (
  <g className={classes.grid}>
    {axis.ticks.map(({ value, label }) => {
      // Lands on whole pixels, so that a line is one pixel wide.
      const y = Math.round(axis.y(value)) + 0.5
      return (
        <g key={value} data-zero={value === 0}>
          <line x1={frame.left} x2={frame.right} y1={y} y2={y} />
          <text x={frame.left - 8} y={y} dy="0.32em" textAnchor="end">
            {hidden ? HIDDEN_AMOUNT : label}
          </text>
        </g>
      )
    })}
    {picture.points.map(({ name, tick }, index) => {
      const x = places.x(index)
      return (
        tick && (
          <Tick key={name} x={x} text={tick} anchor={x > frame.right - 4 ? 'end' : 'middle'} />
        )
      )
    })}
  </g>
)

const Tick = ({ x, text, anchor }: { x: number; text: string; anchor: 'middle' | 'end' }) => (
  <text x={x} y={PLOT_HEIGHT - 7} textAnchor={anchor}>
    {text}
  </text>
)

/** Steps, since a balance stays until it changes, and a slope would show sums that never were. */
const Line = ({ series, axis, places }: Drawing & { readonly series: Series }) => {
  const shade = useId()
  const values = [...series.values]
  const x = (_: number, index: number) => places.x(index)
  const y = (value: number) => axis.y(value)
  return (
    <g data-tone={series.tone}>
      <linearGradient id={shade} x1="0" x2="0" y1="0" y2="1">
        <stop offset="0" className={classes.strong} />
        <stop offset="1" className={classes.faint} />
      </linearGradient>
      <path
        d={area<number>(x, axis.y(0), y).curve(curveStepAfter)(values) ?? ''}
        fill={`url(#${shade})`}
      />
      <path className={classes.line} d={line<number>(x, y).curve(curveStepAfter)(values) ?? ''} />
    </g>
  )
}

const Bars = ({ picture, series, axis, places }: Drawing & { readonly series: Series }) => {
  const width = Math.max(2, Math.min(28, places.step * 0.66))
  const zero = axis.y(0)
  return (
    <g data-tone={series.tone}>
      {series.values.map((value, index) => {
        const end = axis.y(drawn(series, value))
        // Draws the smallest amount visibly.
        const height = Math.max(2, Math.abs(end - zero))
        const at = picture.points[index]?.name
        return (
          value !== 0 && (
            <rect
              key={at}
              className={classes.bar}
              x={places.x(index) - width / 2}
              y={series.below ? zero : zero - height}
              width={width}
              height={height}
              rx={Math.min(3, width / 3)}
            />
          )
        )
      })}
    </g>
  )
}

const Marker = ({ picture, frame, axis, places, index }: Drawing & { readonly index: number }) => {
  const x = places.x(index)
  if (picture.shape === 'bars')
    return (
      <rect
        className={classes.band}
        x={x - places.step / 2}
        y={frame.top}
        width={places.step}
        height={frame.bottom - frame.top}
      />
    )
  return (
    <g className={classes.marker}>
      <line x1={Math.round(x) + 0.5} x2={Math.round(x) + 0.5} y1={frame.top} y2={frame.bottom} />
      {picture.series.map((series) => (
        <circle
          key={series.label}
          data-tone={series.tone}
          cx={x}
          cy={axis.y(drawn(series, series.values[index] ?? 0))}
          r={4.5}
        />
      ))}
    </g>
  )
}

/** The legend, which repeats the colours of the series. */
const Legend = ({ picture }: { picture: Picture }) => (
  <ul className={classes.legend} aria-hidden>
    {picture.series.map(({ label, tone }) => (
      <li key={label} data-tone={tone}>
        {label}
      </li>
    ))}
  </ul>
)

type TooltipProps = {
  readonly picture: Picture
  readonly index: number
  readonly x: number
  readonly width: number
}

const Tooltip = ({ picture, index, x, width }: TooltipProps) => (
  <div
    className={classes.tooltip}
    style={x > width / 2 ? { insetInlineEnd: width - x + 14 } : { insetInlineStart: x + 14 }}
  >
    <p>{picture.points[index]?.name}</p>
    {picture.series.map((series) => (
      <p key={series.label} className={classes.reading}>
        <span className={classes.dot} data-tone={series.tone} />
        {picture.series.length > 1 && series.label}
        <strong>
          <Money dollars={drawn(series, series.values[index] ?? 0)} />
        </strong>
      </p>
    ))}
  </div>
)

/** The words for a point: 'Nov 21, 2026: Deposits $20.00, Withdrawals -$5.00'. */
const useSaid = ({ points, series }: Picture, index: number): string => {
  const hidden = useAmountsHidden()
  const amounts = series.map((each) => {
    const dollars = drawn(each, each.values[index] ?? 0)
    const amount = hidden ? common('amounts.hidden') : formatDollars(dollars)
    return series.length > 1 ? `${each.label} ${amount}` : amount
  })
  return `${points[index]?.name}: ${amounts.join(', ')}`
}

type Props = {
  /** The name of the chart. */
  readonly label: string
  readonly picture: Picture
}

/**
 * Draws figures over time. The pointer or the arrow keys choose a point; screen readers read a
 * slider.
 */
export const Plot = ({ label, picture }: Props) => {
  const { ref, width } = useElementSize()
  const [active, setActive] = useState<number | null>(null)
  const hidden = useAmountsHidden()
  const last = picture.points.length - 1
  const chosen = Math.min(active ?? last, last)
  const said = useSaid(picture, chosen)
  const axis = axisOf(picture)
  const frame = frameFor(
    picture,
    width,
    hidden ? [HIDDEN_AMOUNT] : axis.ticks.map((tick) => tick.label),
  )
  const drawing: Drawing = { picture, frame, axis, places: placesOf(picture, frame) }
  const Shape = picture.shape === 'bars' ? Bars : Line
  const point = ({ clientX, currentTarget }: PointerEvent) =>
    setActive(drawing.places.nearest(clientX - currentTarget.getBoundingClientRect().left))
  const dismiss = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') setActive(null)
  }
  return (
    <div
      ref={ref}
      className={classes.plot}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => setActive(null)}
    >
      {width > 0 && (
        <svg width={width} height={PLOT_HEIGHT} aria-hidden="true">
          {active !== null && picture.shape === 'bars' && <Marker {...drawing} index={chosen} />}
          <Grid {...drawing} hidden={hidden} />
          {picture.series.map((series) => (
            <Shape key={series.label} {...drawing} series={series} />
          ))}
          {active !== null && picture.shape === 'area' && <Marker {...drawing} index={chosen} />}
        </svg>
      )}
      {picture.series.length > 1 && <Legend picture={picture} />}
      <input
        type="range"
        className={classes.slider}
        aria-label={label}
        aria-valuetext={said}
        min={0}
        max={last}
        value={chosen}
        onChange={({ currentTarget }) => setActive(Number(currentTarget.value))}
        onFocus={() => setActive(chosen)}
        onBlur={() => setActive(null)}
        onKeyDown={dismiss}
      />
      {active !== null && width > 0 && (
        <Tooltip picture={picture} index={chosen} x={drawing.places.x(chosen)} width={width} />
      )}
    </div>
  )
}
