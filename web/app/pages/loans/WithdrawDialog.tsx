import { messageOf } from '../../api/http/errors.ts'
import { useWithdraw } from '../../api/loanRecords.ts'
import { Dialog } from '../../forms/FormDialog.tsx'
import { ReasonForm } from '../../forms/ReasonForm.tsx'
import { t } from '../../i18n/loanRecords.ts'
import { toast } from '../../ui/toasts.ts'

type Props = {
  readonly kind: 'collateral' | 'document'
  readonly id: string
  /** The title of the record. */
  readonly name: string
  readonly opened: boolean
  readonly onClose: () => void
}

/** Marks collateral or a document as withdrawn, with the reason (docs/product.md 5.35). */
export const WithdrawDialog = ({ kind, id, name, opened, onClose }: Props) => {
  const withdraw = useWithdraw(kind, t('withdraw.failed'))
  const close = () => {
    withdraw.reset()
    onClose()
  }
  const submit = (reason: string) =>
    withdraw.mutate(
      { id, reason },
      {
        onSuccess: () => {
          toast({ message: t('withdraw.done') })
          close()
        },
      },
    )
  return (
    <Dialog
      title={t(`${kind}.withdraw.title`)}
      opened={opened}
      onClose={close}
      busy={withdraw.isPending}
    >
      <ReasonForm
        words={{
          reason: t('withdraw.reason'),
          missing: t('withdraw.missing'),
          submit: t('withdraw'),
          busy: t('saving'),
        }}
        busy={withdraw.isPending}
        error={withdraw.error && messageOf(withdraw.error, t('withdraw.failed'))}
        onSubmit={submit}
        onCancel={close}
      >
        <p>{t('withdraw.text', { name })}</p>
      </ReasonForm>
    </Dialog>
  )
}
