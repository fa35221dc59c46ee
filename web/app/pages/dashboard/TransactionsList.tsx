import { listTransactions } from '@pool/contract/transactions'
import { type TransactionRow, transactionList } from '../../api/transactions.ts'
import { t } from '../../i18n/dashboard.ts'
import { capitalized } from '../../i18n/format.ts'
import { reasonName, statusName, typeName } from '../../i18n/named.ts'
import { StoryLink } from '../../panels/story/StoryLink.tsx'
import type { CsvColumn } from '../../tables/csv.ts'
import type { Column } from '../../tables/DataTable.tsx'
import { filtersOf } from '../../tables/urlState.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Money } from '../../ui/Money.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { ListCard } from './ListCard.tsx'
import classes from './lists.module.css'

/**
 * The type, which opens the story, and below it the reason of a rejection or the investor's note.
 */
const Kind = ({ id, type, status, reason, description }: TransactionRow) => {
  const note =
    status === 'REJECTED' && reason
      ? t('transactions.reason', { reason: reasonName(reason) })
      : description
  return (
    <>
      <StoryLink kind="transaction" id={id}>
        <span className={classes.kind}>{typeName(type)}</span>
      </StoryLink>
      {note && <span className={classes.note}>{note}</span>}
    </>
  )
}

const columns: readonly Column<TransactionRow>[] = [
  { heading: t('transactions.type'), cell: Kind },
  {
    heading: t('transactions.amount'),
    numeric: true,
    sort: 'amount',
    cell: ({ amount }) => <Money dollars={amount} />,
  },
  { heading: t('transactions.status'), cell: ({ status }) => <StatusBadge status={status} /> },
  {
    heading: t('transactions.created'),
    sort: 'createdAt',
    cell: ({ createdAt }) => <DateTime at={createdAt} />,
  },
  {
    heading: t('transactions.updated'),
    sort: 'updatedAt',
    cell: ({ updatedAt }) => <DateTime at={updatedAt} />,
  },
]

const csv: readonly CsvColumn<TransactionRow>[] = [
  { heading: t('csv.id'), value: ({ id }) => id },
  { heading: t('transactions.type'), value: ({ type }) => type },
  { heading: t('csv.amount'), value: ({ amount }) => amount },
  { heading: t('transactions.status'), value: ({ status }) => status },
  { heading: t('csv.description'), value: ({ description }) => description },
  { heading: t('csv.network'), value: ({ networkName }) => networkName },
  { heading: t('csv.wallet'), value: ({ walletAddress }) => walletAddress },
  { heading: t('csv.destination'), value: ({ destinationAddress }) => destinationAddress },
  { heading: t('csv.reason'), value: ({ reason }) => reason },
  { heading: t('transactions.created'), value: ({ createdAt }) => createdAt },
  { heading: t('transactions.updated'), value: ({ updatedAt }) => updatedAt },
]

const filters = filtersOf(listTransactions.paged, {
  status: { label: t('transactions.status'), nameOf: statusName },
  type: { label: t('transactions.type'), nameOf: (type) => capitalized(typeName(type)) },
})

/** The investor's own transactions (docs/product.md 3.5). */
export const TransactionsList = () => (
  <ListCard
    name="transactions"
    title={t('transactions')}
    search={t('transactions.search')}
    source={transactionList}
    columns={columns}
    csv={csv}
    filters={filters}
    empty={<EmptyState title={t('transactions.empty')} text={t('transactions.empty.text')} />}
  />
)
