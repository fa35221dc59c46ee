import { Money } from '../../ui/Money.tsx'
import classes from './dialogs.module.css'

/** What can be spent, at the top of the dialogs that spend it. Dollars; undefined while it is not known. */
export const AvailableBalance = ({ balance }: { balance: number | undefined }) => (
  <p className={classes.available}>
    <span>Available balance</span>
    <strong>{balance === undefined ? 'Not known right now' : <Money dollars={balance} />}</strong>
  </p>
)
