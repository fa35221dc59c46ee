import { t } from '../../i18n/dashboard.ts'
import { Money } from '../../ui/Money.tsx'
import classes from './dialogs.module.css'

/**
 * What can be spent, at the top of the dialogs that spend it. Dollars; undefined while it is not
 * known.
 */
export const AvailableBalance = ({ balance }: { balance: number | undefined }) => (
  <p className={classes.available}>
    <span>{t('available')}</span>
    <strong>{balance === undefined ? t('available.unknown') : <Money dollars={balance} />}</strong>
  </p>
)
