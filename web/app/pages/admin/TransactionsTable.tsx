import { Text } from '@mantine/core'
import { DEFAULT_DESTINATION } from '@pool/contract/messages'
import type { TransactionRow } from '../../api/transactions.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Money } from '../../ui/Money.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { AdminTable, type Column, type Listing } from './AdminTable.tsx'
import classes from './cells.module.css'
import { Code, MISSING, Moment, Person, Tag, type Tone } from './cells.tsx'
import { RejectDialog } from './RejectDialog.tsx'
import { TransactionActions } from './TransactionActions.tsx'
import { useSubject } from './useSubject.ts'

const typeTones: Readonly<Record<string, Tone>> = { deposit: 'green', withdrawal: 'amber', investment: 'purple', payout: 'blue' }

/** What a decision hangs on, beside the amount: where the money comes in or goes out, and why it was turned down. */
const Particulars = ({ transaction }: { transaction: TransactionRow }) => {
  const { type, networkName, walletAddress, destinationAddress, reason } = transaction
  return (
    <div className={classes.particulars}>
      {type === 'deposit' && walletAddress && (
        <Text size="xs" c="dimmed">
          {networkName ?? 'to'} <Code text={walletAddress} />
        </Text>
      )}
      {type === 'withdrawal' && destinationAddress && (
        <Text size="xs" c="dimmed">
          {destinationAddress === DEFAULT_DESTINATION ? (
            `To ${DEFAULT_DESTINATION} (none was given)`
          ) : (
            <>
              To <span className={classes.address}>{destinationAddress}</span>
            </>
          )}
        </Text>
      )}
      {reason && (
        <Text size="xs" c="dimmed">
          Reason: {reason}
        </Text>
      )}
    </div>
  )
}

const columnsWith = (onReject: (transaction: TransactionRow) => void): readonly Column<TransactionRow>[] => [
  { heading: 'User ID', cell: ({ userId }) => (userId ? <Code text={userId} /> : MISSING) },
  { heading: 'User', cell: ({ username, userEmail }) => <Person name={username} email={userEmail} /> },
  {
    heading: 'Type',
    cell: (transaction) => (
      <>
        <Tag tone={typeTones[transaction.type] ?? 'grey'}>{transaction.type.charAt(0).toUpperCase() + transaction.type.slice(1)}</Tag>
        <Particulars transaction={transaction} />
      </>
    ),
  },
  { heading: 'Amount', numeric: true, cell: ({ amount }) => <Money dollars={amount} /> },
  { heading: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { heading: 'Date', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    heading: 'Actions',
    cell: (transaction) => <TransactionActions transaction={transaction} onReject={() => onReject(transaction)} />,
  },
]

/** Everybody's transactions, with the decisions that are open (spec §2, §4). */
export const TransactionsTable = ({ query }: { query: Listing<TransactionRow> }) => {
  const rejecting = useSubject<TransactionRow>()
  return (
    <>
      <AdminTable
        what="Transactions"
        empty={<EmptyState title="No transactions found" />}
        listing={query}
        columns={columnsWith(rejecting.open)}
      />
      {rejecting.row && <RejectDialog transaction={rejecting.row} opened={rejecting.opened} onClose={rejecting.close} />}
    </>
  )
}
