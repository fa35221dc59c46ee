import { t } from '../../i18n/dialogs.ts'
import { Money } from '../../ui/Money.tsx'
import classes from './dialogs.module.css'

/** The spendable dollars at the top of a dialog; undefined while unknown. */
export const AvailableBalance = ({ balance }: { balance: number | undefined }) => (
  <p className={classes.available}>
    <span>{t('available')}</span>
    <strong>{balance === undefined ? t('available.unknown') : <Money dollars={balance} />}</strong>
  </p>
)
