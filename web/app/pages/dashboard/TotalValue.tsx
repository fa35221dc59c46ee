import { Skeleton } from '@mantine/core'
import { useUserFigures } from '../../api/reports/figures.ts'
import { t } from '../../i18n/dashboard.ts'
import { Money } from '../../ui/Money.tsx'
import classes from './TotalValue.module.css'
import { type Parts, partNames, partsOf } from './totalValue.ts'

/** The parts as lengths. The figures with the same colours stand below. */
const Bar = ({ parts }: { parts: Parts }) => (
  <div className={classes.bar} aria-hidden>
    {partNames
      .filter((name) => parts[name] > 0)
      .map((name) => (
        <span key={name} data-part={name} style={{ flexGrow: parts[name] }} />
      ))}
  </div>
)

/** All the investor's money as one figure and one bar. */
export const TotalValue = ({ userId }: { userId: string }) => {
  const { data, isError } = useUserFigures(userId)
  const parts = partsOf(data)
  return (
    <div className={classes.total}>
      <p className={classes.label}>{t('total')}</p>
      <p className={classes.amount}>
        {parts && <Money dollars={parts.total} />}
        {!parts && (data || isError) && '–'}
        {!parts && !data && !isError && (
          <Skeleton height="0.9em" width="5em" className={classes.skeleton ?? ''} />
        )}
      </p>
      {parts ? <Bar parts={parts} /> : <div className={classes.bar} />}
    </div>
  )
}
