import { type ReactNode, useId } from 'react'
import { locale } from '../../../i18n/language.ts'
import { t } from '../../../i18n/pool.ts'
import classes from './Pool.module.css'

/** Stands for a figure that there is not. */
export const NONE = '–'

type SectionProps = {
  readonly title: string
  /** The definition of the figures. */
  readonly rule?: string
  readonly children: ReactNode
}

/** Figures of one kind under their definition. */
export const Section = ({ title, rule, children }: SectionProps) => {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        {title}
      </h2>
      {rule && <p className={classes.rule}>{rule}</p>}
      {children}
    </section>
  )
}

/** One sentence: what a proof shows, and what it does not. */
export const Proves = ({ what }: { readonly what: string }) => (
  <p className={classes.proves}>{what}</p>
)

type Fact = {
  readonly name: string
  readonly value: ReactNode
  /** A smaller line below the value. */
  readonly note?: string
}

type FactsProps = {
  readonly facts: readonly Fact[]
  /** Draws them large, as the first of a page. */
  readonly large?: true
}

/** Names with their figures. */
export const Facts = ({ facts, large }: FactsProps) => (
  <dl className={classes.facts} data-large={large}>
    {facts.map(({ name, value, note }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
        {note && <dd className={classes.note}>{note}</dd>}
      </div>
    ))}
  </dl>
)

/** A share of basis points with one decimal: `12.5%`. */
export const percentText = (basisPoints: number | null | undefined): string =>
  basisPoints === null || basisPoints === undefined
    ? NONE
    : new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 2 }).format(
        basisPoints / 10_000,
      )

/** A ratio of basis points: `15.2 ×`. */
export const ratioText = (basisPoints: number | null): string =>
  basisPoints === null
    ? NONE
    : `${new Intl.NumberFormat(locale(), { maximumFractionDigits: 2 }).format(basisPoints / 10_000)} ×`

/** A number in the reader's notation. */
export const countText = (count: number | null): string =>
  count === null ? NONE : new Intl.NumberFormat(locale()).format(count)

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

/** A duration of seconds in the unit that fits, rounded up. */
export const durationText = (seconds: number | null): string => {
  if (seconds === null) return NONE
  if (seconds < 2 * HOUR) return t('minutes', { count: Math.ceil(seconds / MINUTE) })
  if (seconds < 2 * DAY) return t('hours', { count: Math.ceil(seconds / HOUR) })
  return t('days', { count: Math.ceil(seconds / DAY) })
}

/** The part as basis points of the whole. Null of nothing. */
export const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part * 10_000) / whole)
