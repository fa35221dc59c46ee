import { typeFacts } from '@pool/contract/requests/transactions'
import { type TransactionRow, transactionList } from '../../api/requests/transactions.ts'
import { t } from '../../i18n/dashboard.ts'
import { reasonName, typeName } from '../../i18n/named.ts'
import { StoryLink } from '../../panels/story/StoryLink.tsx'
import type { CsvColumn } from '../../tables/csv.ts'
import type { Column } from '../../tables/DataTable.tsx'
import { dollarsCell } from '../../tables/dollarsCell.ts'
import { transactionFilters } from '../../tables/transactionFilters.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import { Money } from '../../ui/Money.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { ListCard } from './ListCard.tsx'
import classes from './lists.module.css'

/** The two parts of a payout: 'interest $40.00 + principal $1,000.00'. */
const PayoutParts = ({ amount, interest }: { amount: number; interest: number }) => {
  const text = useDollarText()
  const principal = (Math.round(amount * 100) - Math.round(interest * 100)) / 100
  return t('transactions.payout', { interest: text(interest), principal: text(principal) })
}

/**
 * The type, which opens the story, and below it the reason of a rejection or a return, the parts
 * of a payout or the investor's note.
 */
const Kind = ({ id, type, amount, interest, status, reason, description }: TransactionRow) => {
  const parts =
    amount !== null && interest !== null ? (
      <PayoutParts amount={amount} interest={interest} />
    ) : null
  const note =
    (status === 'REJECTED' || status === 'RETURNED') && reason
      ? t('transactions.reason', { reason: reasonName(reason) })
      : (parts ?? description)
  return (
    <>
      <StoryLink kind="transaction" id={id}>
        <span className={classes.kind}>{typeName(type)}</span>
      </StoryLink>
      {note && <span className={classes.note}>{note}</span>}
    </>
  )
}

const directionOf = (type: string): 'in' | 'out' | undefined =>
  Object.hasOwn(typeFacts, type) ? typeFacts[type as keyof typeof typeFacts].direction : undefined

/** Statuses in which no money has moved in the end. */
const UNMOVED: readonly string[] = ['REJECTED', 'EXPIRED']

/** The amount with its effect on the balance. Amounts that did not move are muted. */
const Amount = ({ type, amount, status }: TransactionRow) => {
  const direction = directionOf(type)
  return (
    <span
      className={classes.amount}
      data-direction={UNMOVED.includes(status) ? undefined : direction}
      data-unmoved={UNMOVED.includes(status)}
    >
      <Money dollars={amount} direction={direction} />
    </span>
  )
}

const columns: readonly Column<TransactionRow>[] = [
  { heading: t('transactions.type'), cell: Kind },
  {
    heading: t('transactions.amount'),
    numeric: true,
    sort: 'amount',
    cell: Amount,
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

/** The change of the balance. */
const signedAmount = ({ type, amount }: TransactionRow) =>
  dollarsCell(amount !== null && directionOf(type) === 'out' ? -amount : amount)

/** The address that is or was paid; without one, the destination as it was given. */
const paidTo = ({ payee, destinationAddress }: TransactionRow) =>
  payee?.address ?? destinationAddress

const csv: readonly CsvColumn<TransactionRow>[] = [
  { heading: t('csv.id'), value: ({ id }) => id },
  { heading: t('transactions.type'), value: ({ type }) => type },
  { heading: t('csv.amount'), value: signedAmount },
  { heading: t('transactions.status'), value: ({ status }) => status },
  { heading: t('csv.description'), value: ({ description }) => description },
  {
    heading: t('csv.network'),
    value: ({ networkName, payee }) => networkName || (payee?.networkName ?? ''),
  },
  { heading: t('csv.wallet'), value: ({ walletAddress }) => walletAddress },
  { heading: t('csv.destination'), value: paidTo },
  { heading: t('csv.reason'), value: ({ reason }) => reason },
  { heading: t('transactions.created'), value: ({ createdAt }) => createdAt },
  { heading: t('transactions.updated'), value: ({ updatedAt }) => updatedAt },
]

/** The investor's own transactions (docs/product.md 3.5). */
export const TransactionsList = () => (
  <ListCard
    name="transactions"
    title={t('transactions')}
    search={t('transactions.search')}
    source={transactionList}
    columns={columns}
    csv={csv}
    filters={transactionFilters}
    empty={<EmptyState plain title={t('transactions.empty')} text={t('transactions.empty.text')} />}
  />
)
