import { Button } from '@mantine/core'
import { callFailed } from '@pool/contract/base/messages'
import { formatDollars } from '@pool/contract/base/money'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { usePassedOver } from '../../../api/coins/withdrawalOrder.ts'
import { logFailure, messageOf } from '../../../api/http/errors.ts'
import { useSubmit } from '../../../api/http/submit.ts'
import { approveRequest, isFirstApproval } from '../../../api/requests/decisions.ts'
import { invalidateMoney, type TransactionRow } from '../../../api/requests/transactions.ts'
import { Dialog, DialogFoot } from '../../../forms/FormDialog.tsx'
import { capitalized } from '../../../i18n/format.ts'
import { statusName, typeName } from '../../../i18n/named.ts'
import { t } from '../../../i18n/queue.ts'
import { OutOfOrder } from '../../../panels/order/OutOfOrder.tsx'
import { useOrderReason } from '../../../panels/order/useOrderReason.ts'
import { useOpening } from '../../../ui/settling.ts'
import { approvalOf, shownAddressOf } from '../decisions/approval.ts'
import { amountOf, ownerOf } from '../decisions/decided.tsx'
import type { SeveralProps } from '../queue/parts.ts'
import classes from './SeveralDialog.module.css'

/**
 * Rows of requests that run at the same time. Withdrawals are one row, oldest first, so that none
 * passes over another.
 */
const rowsOf = (requests: readonly TransactionRow[]) => {
  const isWithdrawal = ({ type }: TransactionRow) => type === 'withdrawal'
  const deposits = requests.filter((request) => !isWithdrawal(request))
  return [
    requests.filter(isWithdrawal).toSorted((a, b) => Number(a.createdAt) - Number(b.createdAt)),
    deposits.filter((_, place) => place % 2 === 0),
    deposits.filter((_, place) => place % 2 === 1),
  ]
}

type OrderFields = { readonly outOfOrderReason?: string }
type Result = { readonly text: string; readonly tone: 'green' | 'blue' | 'red' }

const sumOf = (requests: readonly TransactionRow[]): string =>
  formatDollars(
    requests.reduce((sum, { amount }) => sum + Math.round((amount ?? 0) * 100), 0) / 100,
  )

/** Approves requests, a few at a time, and holds the result of each. */
const useApprovals = (onOutcome: Props['onOutcome']) => {
  const client = useQueryClient()
  const send = useSubmit(approveRequest)
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map())
  const [running, setRunning] = useState(false)
  const stopped = useRef(false)
  const record = (id: string, result: Result) =>
    setResults((before) => new Map(before).set(id, result))

  const approve = async (request: TransactionRow, given: OrderFields) => {
    try {
      const answer = await send(approvalOf(request, request.type === 'withdrawal' ? given : {}))
      const isFirst = isFirstApproval(answer)
      if (!isFirst) onOutcome(request.id, 'APPROVED')
      record(
        request.id,
        isFirst
          ? { text: t('several.first'), tone: 'blue' }
          : { text: capitalized(statusName('APPROVED').toLowerCase()), tone: 'green' },
      )
    } catch (error) {
      logFailure(`Could not decide about transaction ${request.id}`, error)
      record(request.id, { text: messageOf(error, callFailed.approve), tone: 'red' })
    }
  }
  const run = async (requests: readonly TransactionRow[], given: OrderFields) => {
    stopped.current = false
    setRunning(true)
    const work = async (row: readonly TransactionRow[]) => {
      for (const request of row) if (!stopped.current) await approve(request, given)
    }
    await Promise.all(rowsOf(requests).map(work))
    setRunning(false)
    void invalidateMoney(client)
  }
  return {
    results,
    running,
    run,
    stop: () => {
      stopped.current = true
    },
  }
}

type Props = SeveralProps<TransactionRow>

/** Approves the selected requests. Each is an operation of its own, and tells its own result. */
export const SeveralDialog = ({ opened, ...props }: Props) => {
  const [busy, setBusy] = useState(false)
  return (
    <Dialog title={t('several.title')} opened={opened} onClose={props.onClose} busy={busy}>
      <Approvals {...props} onBusy={setBusy} />
    </Dialog>
  )
}

type ApprovalsProps = Omit<Props, 'opened'> & {
  readonly onBusy: (busy: boolean) => void
}

const Approvals = ({ subjects, leftOut, onOutcome, onBusy, onClose }: ApprovalsProps) => {
  // The selection at the opening: decided requests leave it.
  const [requests] = useState(subjects)
  const [staying] = useState(leftOut)
  const { results, running, run, stop } = useApprovals(onOutcome)
  const ids = requests.filter(({ type }) => type === 'withdrawal').map(({ id }) => id)
  const passedOver = usePassedOver({ taking: 'approve', ids })
  const order = useOrderReason(passedOver ?? 0)
  const isOff = useOpening() || running || passedOver === undefined
  const isGood = ({ id }: TransactionRow) => ['green', 'blue'].includes(results.get(id)?.tone ?? '')
  const done = requests.filter(isGood)
  const rest = requests.filter((request) => !isGood(request))
  const start = async () => {
    if (!order.check()) return
    onBusy(true)
    await run(rest, order.payload)
    onBusy(false)
  }
  return (
    <div className={classes.several}>
      <Sums requests={requests} />
      <p role="status" className={classes.progress}>
        {running && t('several.progress', { done: results.size, count: requests.length })}
        {!running &&
          results.size > 0 &&
          t('several.done', { done: done.length, count: requests.length })}
      </p>
      <ul className={classes.requests} aria-label={t('waitingFor')}>
        {requests.map((request) => (
          <li key={request.id}>
            <span className={classes.owner}>{ownerOf(request)}</span>
            <span className={classes.amount}>
              {capitalized(typeName(request.type))} {amountOf(request)}
            </span>
            {request.type === 'withdrawal' && (
              <span className={classes.address}>{shownAddressOf(request)}</span>
            )}
            <span className={classes.result} data-tone={results.get(request.id)?.tone}>
              {results.get(request.id)?.text}
            </span>
          </li>
        ))}
      </ul>
      {staying.length > 0 && <LeftOut requests={staying} />}
      <OutOfOrder order={order} busy={running} />
      <DialogFoot>
        <Button variant="default" onClick={running ? stop : onClose}>
          {running ? t('several.stop') : t('several.close')}
        </Button>
        {rest.length > 0 && (
          <Button
            aria-disabled={isOff || undefined}
            aria-busy={running || undefined}
            onClick={() => {
              if (!isOff) void start()
            }}
          >
            {results.size > 0 && !running
              ? t('several.again')
              : t('several.submit', { count: requests.length, sum: sumOf(requests) })}
          </Button>
        )}
      </DialogFoot>
    </div>
  )
}

/** Flagged requests, which are approved one by one. */
const LeftOut = ({ requests }: { requests: readonly TransactionRow[] }) => (
  <section aria-labelledby="left-out">
    <h3 id="left-out" className={classes.flagged}>
      {t('leftOut', { count: requests.length })}
    </h3>
    <ul className={classes.requests}>
      {requests.map((request) => (
        <li key={request.id}>
          <span className={classes.owner}>{ownerOf(request)}</span>
          <span className={classes.amount}>
            {capitalized(typeName(request.type))} {amountOf(request)}
          </span>
          <span className={classes.result}>
            {request.flags.map((flag) => t(`flag.${flag}`)).join(', ')}
          </span>
        </li>
      ))}
    </ul>
  </section>
)

/** The number and the sum, in all and of each type. */
const Sums = ({ requests }: { requests: readonly TransactionRow[] }) => {
  const deposits = requests.filter(({ type }) => type === 'deposit')
  const withdrawals = requests.filter(({ type }) => type === 'withdrawal')
  const flagged = requests.filter(({ flags }) => flags.length > 0).length
  const said = (some: readonly TransactionRow[]) => ({ count: some.length, sum: sumOf(some) })
  return (
    <div>
      <p>{t('several.about', said(requests))}</p>
      {deposits.length > 0 && <p>{t('several.deposits', said(deposits))}</p>}
      {withdrawals.length > 0 && <p>{t('several.withdrawals', said(withdrawals))}</p>}
      {flagged > 0 && <p className={classes.flagged}>{t('several.flagged', { count: flagged })}</p>}
    </div>
  )
}
