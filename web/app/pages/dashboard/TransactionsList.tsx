import type { UseQueryResult } from '@tanstack/react-query'
import type { TransactionRow } from '../../api/transactions.ts'
import { t } from '../../i18n/dashboard.ts'
import { localized } from '../../i18n/localized.ts'
import { typeName } from '../../i18n/named.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Money } from '../../ui/Money.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { ListCard } from './ListCard.tsx'
import classes from './lists.module.css'

/** What kind of movement, and under it why it was rejected or what the investor noted. */
const Kind = ({ type, status, reason, description }: TransactionRow) => {
  const note = status === 'REJECTED' && reason ? t('transactions.reason', { reason: localized(reason) }) : description
  return (
    <>
      <span className={classes.kind}>{typeName(type)}</span>
      {note && <span className={classes.note}>{note}</span>}
    </>
  )
}

const columns: readonly Column<TransactionRow>[] = [
  { heading: t('transactions.type'), cell: Kind },
  { heading: t('transactions.amount'), numeric: true, cell: ({ amount }) => <Money dollars={amount} /> },
  { heading: t('transactions.status'), cell: ({ status }) => <StatusBadge status={status} /> },
  { heading: t('transactions.created'), cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  { heading: t('transactions.updated'), cell: ({ updatedAt }) => <DateTime at={updatedAt} /> },
]

/** The investor's own transactions (spec §2). */
export const TransactionsList = ({ query }: { query: UseQueryResult<readonly TransactionRow[]> }) => (
  <ListCard
    title={t('transactions')}
    query={query}
    columns={columns}
    empty={<EmptyState title={t('transactions.empty')} text={t('transactions.empty.text')} />}
  />
)
