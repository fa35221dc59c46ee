import { Textarea } from '@mantine/core'
import { formatDollars } from '@pool/contract/money'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../../api/http/errors.ts'
import { useProposalStep } from '../../../api/proposals.ts'
import type { TransactionRow } from '../../../api/transactions.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/admin.ts'
import { toast } from '../../../ui/toasts.ts'

type Props = {
  readonly transaction: TransactionRow
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks that an approved or sent withdrawal be given back. A second super admin decides. */
export const GiveBackDialog = ({ transaction, opened, onClose }: Props) => {
  const { id: transactionId, userId, userEmail, amount } = transaction
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const ask = useProposalStep(t('giveBack.failed'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ask.isPending) return
    if (reason.trim() === '') return setFault(t('giveBack.reason.missing'))
    if (userId === null || amount === null) return
    ask.mutate(
      {
        step: 'ask',
        asked: { kind: 'RETURN_WITHDRAWAL', userId, transactionId, amount, reason },
      },
      {
        onSuccess: () => {
          toast({ message: t('giveBack.asked') })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      title={t('giveBack.title', { amount: amount === null ? '' : formatDollars(amount) })}
      opened={opened}
      onClose={onClose}
      busy={ask.isPending}
    >
      <DialogForm
        submitLabel={t('giveBack.ask')}
        busyLabel={t('giveBack.asking')}
        busy={ask.isPending}
        error={ask.isError ? messageOf(ask.error, t('giveBack.failed')) : null}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p>{t('giveBack.text', { name: userEmail ?? '' })}</p>
        <Textarea
          label={t('giveBack.reason')}
          data-autofocus
          autosize
          minRows={2}
          maxRows={6}
          maxLength={500}
          value={reason}
          error={fault}
          readOnly={ask.isPending}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            setFault(null)
          }}
        />
      </DialogForm>
    </Dialog>
  )
}
