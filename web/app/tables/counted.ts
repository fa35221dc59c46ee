import type { ListPage } from '../api/http/lists.ts'
import { locale } from '../i18n/language.ts'

type Counted = Pick<ListPage<unknown>, 'total' | 'andMore'>

/** How many rows match, for people: `1,234`, or `10,000+` where nobody counted further. */
export const counted = ({ total, andMore }: Counted): string =>
  `${total.toLocaleString(locale())}${andMore ? '+' : ''}`

/** The same for a table's `aria-rowcount`, which knows a number for 'nobody knows'. */
export const rowCount = ({ total, andMore }: Counted): number =>
  andMore ? Number.POSITIVE_INFINITY : total
