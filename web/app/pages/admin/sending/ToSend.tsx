import { Button } from '@mantine/core'
import { callFailed } from '@pool/contract/base/messages'
import { formatDollars } from '@pool/contract/base/money'
import { IconSend } from '@tabler/icons-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { networkToPay, TO_SEND, useMarkCompleted } from '../../../api/coins/sending.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { type ListSource, useListPage } from '../../../api/http/lists.ts'
import { type LoanRow, loanList, loansToSend } from '../../../api/lending/loanList.ts'
import { useAdminFigures } from '../../../api/reports/figures.ts'
import { type TransactionRow, transactionList } from '../../../api/requests/transactions.ts'
import { configuration } from '../../../configuration.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { t } from '../../../i18n/admin.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { StoryLink } from '../../../panels/story/StoryLink.tsx'
import { useMayWrite, useSessionUser } from '../../../session/store.ts'
import cells from '../../../tables/cells.module.css'
import { Moment } from '../../../tables/cells.tsx'
import type { CsvColumn } from '../../../tables/csv.ts'
import { dollarsCell } from '../../../tables/dollarsCell.ts'
import { ExportButton } from '../../../tables/ExportButton.tsx'
import { ChainTransaction } from '../../../ui/ChainTransaction.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { NetworkBadge } from '../../../ui/NetworkBadge.tsx'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { toast } from '../../../ui/toasts.ts'
import { type Hindrance, readiness } from './readiness.ts'
import classes from './ToSend.module.css'
import { useSender } from './useSender.ts'

const SendDialog = dialogOnDemand(async () => (await import('./SendDialog.tsx')).SendDialog)
const BatchDialog = dialogOnDemand(
  async () => (await import('../../../panels/batches/BatchDialog.tsx')).BatchDialog,
)
const GiveBackDialog = dialogOnDemand(
  async () => (await import('./GiveBackDialog.tsx')).GiveBackDialog,
)

/** The rows of one load. The server gives no more at once. */
const MOST = 1_000
/** The payments of one batch. */
const MOST_IN_BATCH = 200
/** The rows drawn, the oldest first. */
const DRAWN = 50

const csv: readonly CsvColumn<TransactionRow>[] = [
  { heading: t('csv.id'), value: ({ id }) => id },
  { heading: t('csv.email'), value: ({ userEmail }) => userEmail },
  { heading: t('csv.network'), value: networkToPay },
  {
    heading: t('csv.address'),
    value: ({ payee, destinationAddress }) => payee?.address ?? destinationAddress,
  },
  { heading: t('csv.amount'), value: ({ amount }) => dollarsCell(amount) },
  { heading: t('csv.approved'), value: ({ updatedAt }) => updatedAt },
]

/** The withdrawals to send on one network. */
const onNetwork = (network: string): ListSource<TransactionRow> => ({
  ...transactionList,
  load: async (ask) => {
    const page = await transactionList.load(ask)
    return { ...page, rows: page.rows.filter((row) => networkToPay(row) === network) }
  },
})

const networkOf = ({ sending }: LoanRow): string => sending?.networkName ?? ''

type NamedWithdrawal = Pick<TransactionRow, 'id' | 'amount'>

/** A choice of the batch. */
const payableOf = ({ id, amount }: NamedWithdrawal, name: string) => ({
  id,
  isLoan: false,
  label: `${amount === null ? '' : formatDollars(amount)} · ${name}`,
})

const isApproved = ({ status }: TransactionRow): boolean => status === 'APPROVED'

/** The sentence of each hindrance. A reader is shown no buttons. */
const sentences: Readonly<Record<Hindrance, string | null>> = {
  readOnly: null,
  own: t('send.own'),
  inBatch: t('send.waitsForBatch'),
}

type NetworksProps = {
  readonly rows: readonly TransactionRow[]
  readonly loans: readonly LoanRow[]
}

/** Each network with the payments to send on it: number, sum, a batch, and withdrawals as CSV. */
const Networks = ({ rows, loans }: NetworksProps) => {
  const batching = useSubject<string>()
  const mayWrite = useMayWrite()
  const sender = useSender()
  const hasNodes = configuration().chains !== ''
  const ownId = useSessionUser()?.id ?? ''
  const names = [...new Set([...rows.map(networkToPay), ...loans.map(networkOf)])].sort()
  const free = [
    ...rows
      .filter((row) => readiness(row, sender).canBatch)
      .map((row) => ({
        network: networkToPay(row),
        payable: payableOf(row, row.userEmail ?? ''),
      })),
    ...loans
      .filter(
        ({ sending, borrowerAccounts }) => !sending?.batchId && !borrowerAccounts.includes(ownId),
      )
      .map((loan) => ({
        network: networkOf(loan),
        payable: { ...payableOf(loan, loan.borrower), isLoan: true },
      })),
  ]
  const freeOn = (name: string) => free.filter(({ network }) => network === name)
  return (
    <ul className={classes.networks}>
      {names.map((name) => {
        const own = [
          ...rows.filter((row) => networkToPay(row) === name),
          ...loans.filter((loan) => networkOf(loan) === name),
        ]
        const sum = own.reduce((total, { amount }) => total + (amount ?? 0), 0)
        return (
          <li key={name} className={classes.network}>
            <NetworkBadge network={name} />
            <span>{t('send.sum', { count: own.length, amount: formatDollars(sum) })}</span>
            <ExportButton
              source={onNetwork(name)}
              query={{ ...TO_SEND, status: 'APPROVED' }}
              columns={csv}
              name={`to-send-${name.toLowerCase().replaceAll(' ', '-') || 'no-network'}`}
            />
            {hasNodes && mayWrite && name !== '' && (
              <Button
                size="compact-sm"
                variant="default"
                disabled={freeOn(name).length === 0}
                aria-label={t('send.batchOn', { network: name })}
                onClick={() => batching.open(name)}
              >
                {t('send.batch')}
              </Button>
            )}
          </li>
        )
      })}
      {batching.row && (
        <BatchDialog
          key={batching.row}
          network={batching.row}
          payables={freeOn(batching.row)
            .slice(0, MOST_IN_BATCH)
            .map(({ payable }) => payable)}
          opened={batching.opened}
          onClose={batching.close}
        />
      )}
    </ul>
  )
}

/** A loan that a batch is to pay. Its page has the steps. */
const LoanLine = ({ loan }: { readonly loan: LoanRow }) => (
  <li className={classes.row}>
    <div className={classes.what}>
      <Link to={`/admin/loans/${loan.id}`}>{formatDollars(loan.amount ?? 0)}</Link>
      <span>{t('send.loan', { borrower: loan.borrower })}</span>
    </div>
    <div className={classes.where}>
      <NetworkBadge network={networkOf(loan)} />
      <span className={cells.address}>{loan.sending?.address}</span>
      {loan.sending?.batchId && (
        <Link to={`/admin/batches/${loan.sending.batchId}`}>{t('send.inBatch')}</Link>
      )}
    </div>
  </li>
)

type RowProps = {
  readonly row: TransactionRow
  readonly onSend: () => void
  readonly onCompleted: () => void
  readonly onGiveBack: () => void
}

const Row = ({ row, onSend, onCompleted, onGiveBack }: RowProps) => {
  const complete = useMarkCompleted()
  const sender = useSender()
  const ready = readiness(row, sender)
  const { id, amount, userEmail, payee, destinationAddress, sent, status, batchId, updatedAt } = row
  const sum = amount === null ? '' : formatDollars(amount)
  // A live change may remove the row before the response, and with it the callbacks of `mutate`.
  const finish = () =>
    complete.mutateAsync(id).then(
      (proposalId) => {
        toast({
          message: proposalId === null ? t('send.completed', { amount: sum }) : t('send.asked'),
        })
        onCompleted()
      },
      (error: unknown) =>
        toast({ message: messageOf(error, callFailed.markSent), tone: 'bad', isUrgent: true }),
    )
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <StoryLink kind="transaction" id={id}>
          {sum}
        </StoryLink>
        <span>{userEmail}</span>
      </div>
      <div className={classes.where}>
        <NetworkBadge network={networkToPay(row)} />
        <span className={cells.address}>{payee?.address ?? destinationAddress}</span>
        {batchId && <Link to={`/admin/batches/${batchId}`}>{t('send.inBatch')}</Link>}
        {sent && (
          <span className={cells.address}>
            {t('send.sent')}{' '}
            <ChainTransaction network={sent.networkName ?? ''} id={sent.evidence ?? ''} />
          </span>
        )}
      </div>
      <div className={classes.standing}>
        <StatusBadge status={status} />
        <Moment at={updatedAt} />
      </div>
      {sender.mayWrite && (
        <div className={classes.actions}>
          {isApproved(row) ? (
            <Button
              size="xs"
              disabled={!ready.canMark}
              onClick={onSend}
              aria-label={t('send.markOf', { amount: sum })}
            >
              {t('send.mark')}
            </Button>
          ) : (
            <Button
              size="xs"
              variant="default"
              disabled={!ready.canMark}
              aria-busy={complete.isPending}
              onClick={() => {
                if (!complete.isPending) void finish()
              }}
              aria-label={t('send.completeOf', { amount: sum })}
            >
              {t('send.complete')}
            </Button>
          )}
          {sender.mayGiveBack && (
            <Button
              size="xs"
              variant="subtle"
              color="red"
              disabled={!ready.canGiveBack}
              onClick={onGiveBack}
              aria-label={t('giveBack.of', { amount: sum })}
            >
              {t('giveBack')}
            </Button>
          )}
          {ready.hindrances.map((each) => (
            <p key={each} className={cells.note}>
              {sentences[each]}
            </p>
          ))}
        </div>
      )}
    </li>
  )
}

/**
 * Approved withdrawals and reserved loans to send, and those on their way. Folded to one line until
 * it is opened, so that it moves nothing on the page.
 */
export const ToSend = () => {
  const sending = useSubject<TransactionRow>()
  const returning = useSubject<TransactionRow>()
  const onTheWay = useAdminFigures().data?.onTheWay ?? null
  const head = useRef<HTMLElement>(null)
  const page = useListPage(transactionList, { query: TO_SEND, limit: MOST })
  const loans = useListPage(loanList, { query: loansToSend, limit: MOST }).data?.rows ?? []
  const rows = page.data?.rows ?? []
  const waiting = rows.filter(isApproved)
  return (
    <details className={classes.card}>
      <summary ref={head} className={classes.head}>
        <IconSend size={18} aria-hidden />
        <span className={classes.title}>{t('send.title')}</span>
        {page.data && (
          <span className={classes.count}>
            {t('send.counted', {
              waiting: waiting.length + loans.length,
              under: rows.length - waiting.length,
            })}
            {onTheWay !== null && <> · {t('send.outgoing', { amount: formatDollars(onTheWay) })}</>}
          </span>
        )}
      </summary>
      {page.isError && (
        <ErrorState
          message={t('transactions.failed')}
          retrying={page.isFetching}
          onRetry={() => void page.refetch()}
        />
      )}
      {page.data && rows.length + loans.length === 0 && (
        <p className={classes.empty}>{t('send.empty')}</p>
      )}
      {waiting.length + loans.length > 0 && <Networks rows={waiting} loans={loans} />}
      <ul className={classes.rows}>
        {loans.slice(0, DRAWN).map((loan) => (
          <LoanLine key={loan.id} loan={loan} />
        ))}
        {rows.slice(0, DRAWN).map((row) => (
          <Row
            key={row.id}
            row={row}
            onSend={() => sending.open(row)}
            // Removing the row would lose the focus.
            onCompleted={() => head.current?.focus()}
            onGiveBack={() => returning.open(row)}
          />
        ))}
      </ul>
      {rows.length > DRAWN && (
        <p className={classes.empty}>{t('send.oldest', { shown: DRAWN, total: rows.length })}</p>
      )}
      {sending.row && (
        <SendDialog transaction={sending.row} opened={sending.opened} onClose={sending.close} />
      )}
      {returning.row && (
        <GiveBackDialog
          key={returning.row.id}
          transaction={returning.row}
          opened={returning.opened}
          onClose={returning.close}
        />
      )}
    </details>
  )
}
