import { MOST_OLDER } from '@pool/contract/coins/withdrawalOrder'
import { usePoolBook } from '../../api/lending/poolBook.ts'
import { locale } from '../../i18n/language.ts'
import { t } from '../../i18n/order.ts'
import { useSessionUser } from '../../session/store.ts'
import classes from './QueuePlace.module.css'

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

/** Seconds in the unit that fits, rounded up. */
const durationText = (seconds: number): string => {
  const [unit, size] =
    seconds < 2 * HOUR
      ? (['minute', MINUTE] as const)
      : seconds < 2 * DAY
        ? (['hour', HOUR] as const)
        : (['day', DAY] as const)
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.ceil(seconds / size),
  )
}

/** The place of a waiting withdrawal, and how long others took (docs/product.md 5.40). */
export const QueuePlace = ({ ahead }: { readonly ahead: number }) => {
  const isStaff = useSessionUser()?.role !== 'client'
  const { half = null, most = null } = usePoolBook().data?.payouts ?? {}
  const own = ahead < MOST_OLDER ? 'ahead' : 'ahead.many'
  return (
    <section className={classes.place}>
      <p>{t(isStaff ? 'ahead.staff' : own, { count: Math.min(ahead, MOST_OLDER - 1) })}</p>
      {half !== null && most !== null && (
        <p className={classes.times}>
          {t('times', { half: durationText(half), most: durationText(most) })}
        </p>
      )}
    </section>
  )
}
