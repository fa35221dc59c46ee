import { DEFAULT_DESTINATION } from '@pool/contract/requests/requests'
import { type TransactionRow, transactionList } from '../../../api/requests/transactions.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { t } from '../../../i18n/admin.ts'
import { common } from '../../../i18n/common.ts'
import { capitalized } from '../../../i18n/format.ts'
import { reasonName, typeName, typeTone } from '../../../i18n/named.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { Approvals } from '../../../panels/story/Approvals.tsx'
import { StoryLink } from '../../../panels/story/StoryLink.tsx'
import classes from '../../../tables/cells.module.css'
import { Code, MISSING, Moment, Person, ShortId, Tag } from '../../../tables/cells.tsx'
import type { CsvColumn } from '../../../tables/csv.ts'
import type { Column } from '../../../tables/DataTable.tsx'
import { dollarsCell } from '../../../tables/dollarsCell.ts'
import { PagedTable } from '../../../tables/PagedTable.tsx'
import { Money } from '../../../ui/Money.tsx'
import { PersonLink } from '../../../ui/PersonLink.tsx'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { filters } from '../tabs/tabs.ts'
import { TransactionActions } from './TransactionActions.tsx'

const ConfirmDialog = dialogOnDemand(
  async () => (await import('./ConfirmDialog.tsx')).ConfirmDialog,
)
const RejectDialog = dialogOnDemand(async () => (await import('./RejectDialog.tsx')).RejectDialog)

/** The facts behind a decision: the receiving address and the reason of a rejection. */
const Particulars = ({ transaction }: { transaction: TransactionRow }) => {
  const { type, networkName, walletAddress, destinationAddress, payee, reason } = transaction
  return (
    <div className={classes.particulars}>
      {type === 'deposit' && walletAddress && (
        <p className={classes.aside}>
          {networkName} <Code text={walletAddress} />
        </p>
      )}
      {type === 'withdrawal' && destinationAddress && (
        <p className={classes.aside}>
          {destinationAddress === DEFAULT_DESTINATION && !payee ? (
            t('transactions.toDefault', { destination: common('defaultDestination') })
          ) : (
            <>
              {t('transactions.to')}{' '}
              <span className={classes.address}>{payee?.address ?? destinationAddress}</span>
              {destinationAddress === DEFAULT_DESTINATION && ` (${common('defaultDestination')})`}
            </>
          )}
        </p>
      )}
      {reason && (
        <p className={classes.aside}>{t('transactions.reason', { reason: reasonName(reason) })}</p>
      )}
    </div>
  )
}

type Decide = (transaction: TransactionRow) => void

const columnsWith = (onConfirm: Decide, onReject: Decide): readonly Column<TransactionRow>[] => [
  {
    heading: t('transactions.userId'),
    cell: ({ userId }) => (userId ? <ShortId text={userId} /> : MISSING),
  },
  {
    heading: t('transactions.user'),
    cell: ({ userId, username, userEmail }) => (
      <PersonLink id={userId}>
        <Person name={username} email={userEmail} />
      </PersonLink>
    ),
  },
  {
    heading: t('transactions.type'),
    cell: (transaction) => (
      <>
        <StoryLink kind="transaction" id={transaction.id}>
          <Tag tone={typeTone(transaction.type)}>{capitalized(typeName(transaction.type))}</Tag>
        </StoryLink>
        <Particulars transaction={transaction} />
      </>
    ),
  },
  {
    heading: t('transactions.amount'),
    numeric: true,
    sort: 'amount',
    cell: ({ amount }) => <Money dollars={amount} />,
  },
  {
    heading: t('transactions.status'),
    cell: (transaction) => (
      <>
        <StatusBadge status={transaction.status} />
        <div className={classes.standing}>
          <Approvals transaction={transaction} />
        </div>
      </>
    ),
  },
  {
    heading: t('transactions.date'),
    sort: 'createdAt',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    heading: t('transactions.actions'),
    cell: (transaction) => (
      <TransactionActions
        transaction={transaction}
        onConfirm={() => onConfirm(transaction)}
        onReject={() => onReject(transaction)}
      />
    ),
  },
]

const csv: readonly CsvColumn<TransactionRow>[] = [
  { heading: t('csv.id'), value: ({ id }) => id },
  { heading: t('transactions.userId'), value: ({ userId }) => userId },
  { heading: t('csv.username'), value: ({ username }) => username },
  { heading: t('csv.email'), value: ({ userEmail }) => userEmail },
  { heading: t('transactions.type'), value: ({ type }) => type },
  { heading: t('csv.amount'), value: ({ amount }) => dollarsCell(amount) },
  { heading: t('transactions.status'), value: ({ status }) => status },
  { heading: t('csv.description'), value: ({ description }) => description },
  { heading: t('csv.network'), value: ({ networkName }) => networkName },
  { heading: t('csv.wallet'), value: ({ walletAddress }) => walletAddress },
  {
    heading: t('csv.destination'),
    value: ({ payee, destinationAddress }) => payee?.address ?? destinationAddress,
  },
  { heading: t('csv.evidence'), value: ({ evidence }) => evidence },
  { heading: t('csv.reason'), value: ({ reason }) => reason },
  { heading: t('csv.created'), value: ({ createdAt }) => createdAt },
  { heading: t('csv.updated'), value: ({ updatedAt }) => updatedAt },
]

const words = {
  title: t('transactions'),
  loading: t('transactions.loading'),
  failed: t('transactions.failed'),
  search: t('transactions.search'),
}

/** All transactions, with their open decisions (docs/product.md 3.12, 5.3). */
export const TransactionsTable = () => {
  const confirming = useSubject<TransactionRow>()
  const rejecting = useSubject<TransactionRow>()
  return (
    <>
      <PagedTable
        name="transactions"
        source={transactionList}
        columns={columnsWith(confirming.open, rejecting.open)}
        csv={csv}
        filters={filters.transactions}
        words={words}
        empty={t('transactions.empty')}
      />
      {confirming.row && (
        <ConfirmDialog
          transaction={confirming.row}
          opened={confirming.opened}
          onClose={confirming.close}
        />
      )}
      {rejecting.row && (
        <RejectDialog
          transaction={rejecting.row}
          opened={rejecting.opened}
          onClose={rejecting.close}
        />
      )}
    </>
  )
}
