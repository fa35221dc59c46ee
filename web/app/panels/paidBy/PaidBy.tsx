import type { ShownPool } from '../../api/lending/poolBook.ts'
import { formatPercent } from '../../i18n/format.ts'
import { t } from '../../i18n/paidBy.ts'
import classes from './PaidBy.module.css'
import { type PaidMonth, paidMonths, paidSentences } from './paidBy.ts'

/** The height of the line's frame, which stands for 100 %. Its width is 100, too. */
const HEIGHT = 100

const Line = ({ months }: { readonly months: readonly PaidMonth[] }) => {
  const [first] = months
  const last = months.at(-1)
  if (!first || !last || first === last) return null
  const points = months.map(
    ({ percent }, place) => `${(place * 100) / (months.length - 1)},${HEIGHT - percent}`,
  )
  return (
    <figure className={classes.line}>
      <figcaption>{t('line')}</figcaption>
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        <polygon points={`0,${HEIGHT} ${points.join(' ')} 100,${HEIGHT}`} />
        <polyline points={points.join(' ')} />
      </svg>
      <p className={classes.ends}>
        {[first, last].map(({ name, percent }) => (
          <span key={name}>{`${name}: ${formatPercent(percent)}`}</span>
        ))}
      </p>
    </figure>
  )
}

type Props = {
  readonly pool: Pick<ShownPool, 'interest' | 'book'>
  /** Leaves out the line. */
  readonly small?: true
}

/** Says who pays the investors' interest, and for how long (docs/loans.md). */
export const PaidBy = ({ pool, small }: Props) => {
  const [payers, ...rest] = paidSentences(pool)
  return (
    <div className={classes.paid} data-small={small}>
      <div className={classes.words}>
        <p className={classes.payers}>{payers}</p>
        {rest.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      {!small && <Line months={paidMonths(pool.interest)} />}
    </div>
  )
}
