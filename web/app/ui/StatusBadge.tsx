import { statusName, statusTone } from '../i18n/named.ts'
import classes from './StatusBadge.module.css'

/** The status of a transaction or an investment. */
export const StatusBadge = ({ status }: { status: string }) => (
  <span className={classes.badge} data-color={statusTone(status)}>
    {statusName(status)}
  </span>
)
