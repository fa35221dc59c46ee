import type { ListPage } from '../api/http/lists.ts'
import { locale } from '../i18n/language.ts'

type Counted = Pick<ListPage<unknown>, 'total' | 'andMore'>

/** The number of matching rows: `1,234`, or `10,000+` for an open count. */
export const counted = ({ total, andMore }: Counted): string =>
  `${total.toLocaleString(locale())}${andMore ? '+' : ''}`

/** The same for `aria-rowcount`: infinite when unknown. */
export const rowCount = ({ total, andMore }: Counted): number =>
  andMore ? Number.POSITIVE_INFINITY : total
