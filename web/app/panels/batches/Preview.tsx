import { formatDollars } from '@pool/contract/base/money'
import type { ShownPlan } from '../../api/coins/batches.ts'
import { named, t } from '../../i18n/batches.ts'
import classes from './Batches.module.css'
import { Facts } from './Facts.tsx'

const kinds = ['imported', 'otherKeys', 'small', 'spent'] as const

/** The batch that would be made, and what it leaves out. */
export const Preview = ({ plan }: { readonly plan: ShownPlan }) => {
  const { total, coin, dollars, payouts, leftOut, unusable, format, needsSecond } = plan
  const sums = new Map<string, number>()
  for (const { why } of leftOut) sums.set(why, (sums.get(why) ?? 0) + 1)
  return (
    <section className={classes.preview} aria-label={t('preview.title')}>
      <h3>{t('preview.title')}</h3>
      <p role="status">
        {t('preview.dollars', { coins: `${total} ${coin}`, dollars: formatDollars(dollars ?? 0) })}{' '}
        · {t('payouts', { count: payouts.length })}
      </p>
      <Facts of={plan} />
      <ol className={classes.payees} aria-label={t('payments')}>
        {payouts.map(({ withdrawalId, loanId, address, amount }, at) => (
          // The order of the file never changes.
          <li key={withdrawalId ?? loanId ?? at}>
            {amount} {coin} {t('to')} <span className={classes.address}>{address}</span>
          </li>
        ))}
      </ol>
      {needsSecond && <p className={classes.warning}>{t('preview.second')}</p>}
      {format === 'CSV' && <p className={classes.warning}>{t('twice')}</p>}
      {leftOut.length > 0 && (
        <p className={classes.warning}>
          {t('leftOut', { count: leftOut.length })}:{' '}
          {[...sums]
            .map(([why, count]) => `${named(`leftOut.${why}`) ?? why} (${count})`)
            .join(', ')}
        </p>
      )}
      {kinds
        .filter((kind) => unusable[kind] > 0)
        .map((kind) => (
          <p key={kind} className={classes.muted}>
            {t(`unusable.${kind}`, { count: unusable[kind] })}
          </p>
        ))}
    </section>
  )
}
