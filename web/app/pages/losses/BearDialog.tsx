import { messageOf } from '../../api/http/errors.ts'
import { useProposalStep } from '../../api/proposals.ts'
import { Dialog } from '../../forms/FormDialog.tsx'
import { ReasonForm } from '../../forms/ReasonForm.tsx'
import { t } from '../../i18n/losses.ts'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import { toast } from '../../ui/toasts.ts'

type Props = { readonly amount: number; readonly onClose: () => void }

/** Asks that the operator's capital bear the open loss. A second super admin decides. */
export const BearDialog = ({ amount, onClose }: Props) => {
  const text = useDollarText()
  const ask = useProposalStep(t('bear.failed'))
  const submit = (reason: string) => {
    ask.mutate(
      { step: 'ask', asked: { kind: 'COVER_LOSS', amount, reason } },
      {
        onSuccess: () => {
          toast({ message: t('bear.asked') })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      title={t('bear.title', { amount: text(amount) })}
      opened
      onClose={onClose}
      busy={ask.isPending}
    >
      <ReasonForm
        words={{
          reason: t('bear.reason'),
          missing: t('bear.missing'),
          submit: t('bear.ask'),
          busy: t('bear.asking'),
        }}
        busy={ask.isPending}
        error={ask.isError ? messageOf(ask.error, t('bear.failed')) : null}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p>{t('bear.text', { amount: text(amount) })}</p>
      </ReasonForm>
    </Dialog>
  )
}
