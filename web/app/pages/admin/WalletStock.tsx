import { Link } from 'react-router'
import { t } from '../../i18n/admin.ts'
import classes from '../../ui/Notice.module.css'
import { useTotals } from './totals.ts'

/** Warns staff when at most a tenth of the deposit wallets are available. */
export const WalletStock = () => {
  const { data: total } = useTotals.wallets()
  const { data: available } = useTotals.availableWallets()
  const known = total !== undefined && available !== undefined
  return (
    <div role="status" className={classes.place}>
      {known && available * 10 <= total && (
        <p className={classes.notice}>
          {available === 0 ? t('stock.none') : t('stock.few', { available, total })}{' '}
          <Link to="?tab=wallets">{t('stock.add')}</Link>
        </p>
      )}
    </div>
  )
}
