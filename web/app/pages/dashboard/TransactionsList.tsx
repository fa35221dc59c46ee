import type { UseQueryResult } from '@tanstack/react-query'
import type { TransactionRow } from '../../api/transactions.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Money } from '../../ui/Money.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { ListCard } from './ListCard.tsx'
import classes from './lists.module.css'

/** What kind of movement, and under it why it was rejected or what the investor noted. */
const Kind = ({ type, status, reason, description }: TransactionRow) => {
  const note = status === 'REJECTED' && reason ? `Reason: ${reason}` : description
  return (
    <>
      <span className={classes.kind}>{type}</span>
      {note && <span className={classes.note}>{note}</span>}
    </>
  )
}

const columns: readonly Column<TransactionRow>[] = [
  { heading: 'Type', cell: Kind },
  { heading: 'Amount', numeric: true, cell: ({ amount }) => <Money dollars={amount} /> },
  { heading: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { heading: 'Created', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  { heading: 'Updated', cell: ({ updatedAt }) => <DateTime at={updatedAt} /> },
]

/** The investor's own transactions (spec §2). */
export const TransactionsList = ({ query }: { query: UseQueryResult<readonly TransactionRow[]> }) => (
  <ListCard
    title="Recent Transactions"
    query={query}
    columns={columns}
    empty={<EmptyState title="No transactions yet" text="Your first deposit will show here, with its status, as soon as you ask for it." />}
  />
)
