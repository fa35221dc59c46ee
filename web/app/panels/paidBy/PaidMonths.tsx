import { formatDollars } from '@pool/contract/base/money'
import type { ShownPool } from '../../api/lending/poolBook.ts'
import { t } from '../../i18n/paidMonths.ts'
import { FigureTable } from '../../ui/FigureTable.tsx'

type Props = { readonly months: ShownPool['interest']['months'] }

/** Interest promised in each month and its payers, the newest first (docs/loans.md). */
export const PaidMonths = ({ months }: Props) =>
  months.length > 0 && (
    <FigureTable
      label={t('months')}
      headings={[t('month'), t('promised'), t('income'), t('fromBorrowers'), t('fromOperator')]}
      rows={months
        .toReversed()
        .map(({ month, promised, income, fromBorrowers }) => [
          month?.toISOString().slice(0, 7) ?? '–',
          formatDollars(promised),
          formatDollars(income),
          formatDollars(fromBorrowers),
          formatDollars(promised - fromBorrowers),
        ])}
    />
  )
