import { formatDollars } from '@pool/contract/money'
import { messageOf } from '../../../api/http/errors.ts'
import { useProposalStep } from '../../../api/proposals.ts'
import type { TransactionRow } from '../../../api/transactions.ts'
import { Dialog } from '../../../forms/FormDialog.tsx'
import { ReasonForm } from '../../../forms/ReasonForm.tsx'
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
  const ask = useProposalStep(t('giveBack.failed'))
  const submit = (reason: string) => {
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
      <ReasonForm
        words={{
          reason: t('giveBack.reason'),
          missing: t('giveBack.reason.missing'),
          submit: t('giveBack.ask'),
          busy: t('giveBack.asking'),
        }}
        busy={ask.isPending}
        error={ask.isError ? messageOf(ask.error, t('giveBack.failed')) : null}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p>{t('giveBack.text', { name: userEmail ?? '' })}</p>
      </ReasonForm>
    </Dialog>
  )
}
