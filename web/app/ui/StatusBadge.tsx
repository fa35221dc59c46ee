import { statusName } from '../i18n/named.ts'
import classes from './StatusBadge.module.css'

/** docs/product.md 3.18; a status that is not listed is grey. */
const colors: Readonly<Record<string, string>> = {
  APPROVED: 'green',
  PENDING: 'amber',
  REJECTED: 'red',
  COMPLETED: 'primary',
  PROCESSING: 'blue',
}

/** The status of a transaction or an investment. */
export const StatusBadge = ({ status }: { status: string }) => (
  <span className={classes.badge} data-color={colors[status.toUpperCase()] ?? 'grey'}>
    {statusName(status)}
  </span>
)
