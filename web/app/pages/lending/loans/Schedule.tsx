import type { LoanLine } from '../../../api/lending/loans.ts'
import { t } from '../../../i18n/loans.ts'
import { Day } from '../../../panels/loans/Day.tsx'
import { today } from '../../../panels/loans/rates.ts'
import { Tag } from '../../../tables/cells.tsx'
import { type Column, DataTable } from '../../../tables/DataTable.tsx'
import { Money } from '../../../ui/Money.tsx'

type ScheduleRow = LoanLine & { readonly id: string; readonly isRunning: boolean }

/** A line is paid, partly paid, or past due. Others say nothing. */
const Standing = ({ principal, interest, paid, dueOn, isRunning }: ScheduleRow) => {
  const isPaid = paid > 0 && paid >= Math.round((principal + interest) * 100) / 100
  if (isPaid) return <Tag tone="green">{t('line.isPaid')}</Tag>
  if (isRunning && dueOn < today()) return <Tag tone="red">{t('line.isPastDue')}</Tag>
  return paid > 0 ? <Tag tone="amber">{t('line.isPartly')}</Tag> : null
}

const columns: readonly Column<ScheduleRow>[] = [
  { heading: t('line.number'), cell: ({ number }) => number },
  { heading: t('line.dueOn'), cell: ({ dueOn }) => <Day on={dueOn} /> },
  {
    heading: t('line.principal'),
    numeric: true,
    cell: ({ principal }) => <Money dollars={principal} />,
  },
  {
    heading: t('line.interest'),
    numeric: true,
    cell: ({ interest }) => <Money dollars={interest} />,
  },
  { heading: t('line.paid'), numeric: true, cell: ({ paid }) => <Money dollars={paid} /> },
  { heading: t('line.balance'), numeric: true, cell: ({ balance }) => <Money dollars={balance} /> },
  { heading: t('line.standing'), cell: Standing },
]

/** The most lines that are drawn at once. */
const WHOLE = 100

type Props = {
  /** The id of the heading that names the table. */
  readonly labelledBy: string
  readonly lines: readonly LoanLine[]
  /** The loan was paid out, and is not wholly repaid. */
  readonly isRunning: boolean
}

/** The instalments with what is paid of each. */
export const Schedule = ({ labelledBy, lines, isRunning }: Props) => (
  <DataTable
    labelledBy={labelledBy}
    rows={lines.map((line) => ({ ...line, id: String(line.number), isRunning }))}
    columns={columns}
    // A usual schedule is shown whole. Rows of a longer one are drawn as they are seen.
    fills={lines.length <= WHOLE}
  />
)
