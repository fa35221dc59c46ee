import { messageOf } from '../../api/http/errors.ts'
import { type ShownRepayment, useReverseRepayment } from '../../api/loans.ts'
import { Dialog } from '../../forms/FormDialog.tsx'
import { ReasonForm } from '../../forms/ReasonForm.tsx'
import { t } from '../../i18n/loans.ts'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import { toast } from '../../ui/toasts.ts'

type Props = {
  readonly repayment: ShownRepayment
  readonly opened: boolean
  readonly onClose: () => void
}

/** Takes a repayment back that was recorded wrongly. */
export const ReverseDialog = ({ repayment, opened, onClose }: Props) => {
  const { id, principal, interest, recovered, reference } = repayment
  const text = useDollarText()
  const reverse = useReverseRepayment(t('reverse.failed'))
  const close = () => {
    reverse.reset()
    onClose()
  }
  const submit = (reason: string) =>
    reverse.mutate(
      { id, reason },
      {
        onSuccess: () => {
          toast({ message: t('reverse.done') })
          close()
        },
      },
    )
  return (
    <Dialog title={t('reverse.title')} opened={opened} onClose={close} busy={reverse.isPending}>
      <ReasonForm
        words={{
          reason: t('reason'),
          missing: t('reason.missing'),
          submit: t('reverse.submit'),
          busy: t('saving'),
        }}
        busy={reverse.isPending}
        error={reverse.error && messageOf(reverse.error, t('reverse.failed'))}
        onSubmit={submit}
        onCancel={close}
      >
        <p>
          {recovered > 0
            ? t('reverse.text.recovered', { reference, recovered: text(recovered) })
            : t('reverse.text', {
                reference,
                principal: text(principal),
                interest: text(interest),
              })}
        </p>
      </ReasonForm>
    </Dialog>
  )
}
