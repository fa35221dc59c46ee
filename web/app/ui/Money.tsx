import { formatDollars } from '@pool/contract/money'
import classes from './Money.module.css'

/** Dollars as people read them, in figures of equal width. Null where the server sent none. */
export const Money = ({ dollars }: { dollars: number | null }) => (
  <span className={classes.money}>{dollars === null ? 'N/A' : formatDollars(dollars)}</span>
)
