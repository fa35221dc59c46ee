import { formatDollars } from '@pool/contract/money'
import { common } from '../i18n/common.ts'
import classes from './Money.module.css'

/** Dollars as people read them, in figures of equal width. Null where the server sent none. */
export const Money = ({ dollars }: { dollars: number | null }) => (
  <span className={classes.money}>{dollars === null ? common('notAvailable') : formatDollars(dollars)}</span>
)
