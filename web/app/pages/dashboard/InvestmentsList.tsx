import { listInvestments } from '@pool/contract/investments'
import { useMemo } from 'react'
import { type InvestmentRow, investmentsOf } from '../../api/investments.ts'
import { t } from '../../i18n/dashboard.ts'
import { statusName } from '../../i18n/named.ts'
import { StoryLink } from '../../panels/story/StoryLink.tsx'
import type { CsvColumn } from '../../tables/csv.ts'
import type { Column } from '../../tables/DataTable.tsx'
import { filtersOf } from '../../tables/urlState.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import { Money } from '../../ui/Money.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { ListCard } from './ListCard.tsx'
import classes from './lists.module.css'

const Principal = ({ dollars }: { dollars: number }) =>
  t('investments.principal', { principal: useDollarText()(dollars) })

const columns: readonly Column<InvestmentRow>[] = [
  {
    heading: t('investments.id'),
    // Shows the start of an id; the whole id is in its title.
    cell: ({ id }) => (
      <StoryLink kind="investment" id={id}>
        <span className={classes.id} title={id}>
          {id}
        </span>
      </StoryLink>
    ),
  },
  {
    heading: t('investments.maturity'),
    sort: 'maturityDate',
    cell: ({ maturityDate, maturityIsDay }) => <DateTime at={maturityDate} isDay={maturityIsDay} />,
  },
  {
    heading: t('investments.return'),
    numeric: true,
    sort: 'interest',
    // Interest alone looks like a loss, so the principal stands beside it (docs/product.md 10.6).
    cell: ({ interest, amount }) => (
      <>
        <Money dollars={interest} />
        {interest !== null && amount !== null && (
          <span className={classes.note}>
            <Principal dollars={amount} />
          </span>
        )}
      </>
    ),
  },
  { heading: t('transactions.status'), cell: ({ status }) => <StatusBadge status={status} /> },
]

const csv: readonly CsvColumn<InvestmentRow>[] = [
  { heading: t('investments.id'), value: ({ id }) => id },
  { heading: t('csv.principal'), value: ({ amount }) => amount },
  { heading: t('csv.interest'), value: ({ interest }) => interest },
  { heading: t('transactions.status'), value: ({ status }) => status },
  { heading: t('investments.maturity'), value: ({ maturityDate }) => maturityDate },
  { heading: t('transactions.created'), value: ({ createdAt }) => createdAt },
  { heading: t('transactions.updated'), value: ({ updatedAt }) => updatedAt },
]

const filters = filtersOf(listInvestments.paged, {
  status: { label: t('transactions.status'), nameOf: statusName },
})

/** The investor's own investments (docs/product.md 3.5). */
export const InvestmentsList = ({ userId }: { userId: string }) => {
  const source = useMemo(() => investmentsOf(userId), [userId])
  return (
    <ListCard
      name="investments"
      title={t('investments')}
      search={t('investments.search')}
      source={source}
      columns={columns}
      csv={csv}
      filters={filters}
      empty={<EmptyState title={t('investments.empty')} text={t('investments.empty.text')} />}
    />
  )
}
