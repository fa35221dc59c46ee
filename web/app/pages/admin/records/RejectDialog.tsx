import { Text } from '@mantine/core'
import { formatDollars } from '@pool/contract/base/money'
import { type FormEvent, useState } from 'react'
import { logFailure } from '../../../api/http/errors.ts'
import { useReject, useRejectApproval } from '../../../api/requests/decisions.ts'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/admin.ts'
import { Approvals } from '../../../panels/story/Approvals.tsx'
import classes from '../../../tables/cells.module.css'
import { ownerOf, sayDecided } from '../decisions/decided.tsx'
import { ReasonField } from '../decisions/ReasonField.tsx'

type Props = {
  readonly transaction: TransactionRow
  readonly opened: boolean
  readonly onClose: () => void
}

/**
 * The 'Reject Transaction' dialog (docs/product.md 3.13). The reason may be empty. A withdrawal
 * with an approval has its own call and default reason.
 */
export const RejectDialog = ({ transaction, opened, onClose }: Props) => {
  const [rejection, ofApproval] = [useReject(), useRejectApproval()]
  const reject = transaction.approvals.length > 0 ? ofApproval : rejection
  const submit = (reason: string) =>
    reject.mutate(
      { transactionId: transaction.id, reason },
      {
        onSuccess: (answer) => sayDecided(transaction, answer, 'REJECTED'),
        // The rows were loaded again, so they show the outcome (docs/product.md 3.15).
        onError: (error) => logFailure(`Could not reject transaction ${transaction.id}`, error),
        onSettled: onClose,
      },
    )
  return (
    <Dialog title={t('reject.title')} opened={opened} onClose={onClose} busy={reject.isPending}>
      <RejectForm
        transaction={transaction}
        busy={reject.isPending}
        onSubmit={submit}
        onCancel={onClose}
      />
    </Dialog>
  )
}

type FormProps = {
  readonly transaction: TransactionRow
  readonly busy: boolean
  readonly onSubmit: (reason: string) => void
  readonly onCancel: () => void
}

const RejectForm = ({ transaction, busy, onSubmit, onCancel }: FormProps) => {
  const [reason, setReason] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) onSubmit(reason)
  }
  const amount =
    transaction.amount === null ? t('reject.aWithdrawal') : formatDollars(transaction.amount)
  return (
    <DialogForm
      grave
      submitLabel={t('investments.reject')}
      busyLabel={t('reject.busy')}
      decides
      busy={busy}
      error={null}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Text size="sm" c="dimmed">
        {t('reject.about', { amount, owner: ownerOf(transaction) })}
      </Text>
      <Approvals transaction={transaction} />
      {transaction.approvals.length > 0 && <p className={classes.note}>{t('reject.approved')}</p>}
      <ReasonField type={transaction.type} value={reason} busy={busy} onChange={setReason} />
    </DialogForm>
  )
}
