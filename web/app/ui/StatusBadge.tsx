import { statusName, statusTone } from '../i18n/named.ts'
import classes from './StatusBadge.module.css'

/**
 * The status of a transaction, an investment or a proposal. Its text is the contract's word; the
 * style shows it in sentence case.
 */
export const StatusBadge = ({ status }: { status: string }) => (
  <span className={classes.badge} data-color={statusTone(status)}>
    {statusName(status)}
  </span>
)
