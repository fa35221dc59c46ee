import { messageOf } from '../../api/http/errors.ts'
import { type ShownLoan, useAskDefault } from '../../api/loans.ts'
import { Dialog } from '../../forms/FormDialog.tsx'
import { ReasonForm } from '../../forms/ReasonForm.tsx'
import { t } from '../../i18n/loans.ts'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import { toast } from '../../ui/toasts.ts'

type Props = {
  readonly story: ShownLoan
  readonly opened: boolean
  readonly onClose: () => void
}

/** Says why a borrower is unlikely to pay, as the first of two (docs/product.md 5.28). */
export const DefaultDialog = ({ story: { loan }, opened, onClose }: Props) => {
  const ask = useAskDefault(t('default.failed'))
  const text = useDollarText()
  const close = () => {
    ask.reset()
    onClose()
  }
  const submit = (reason: string) =>
    ask.mutate(
      { id: loan.id, reason },
      {
        onSuccess: () => {
          toast({ message: t('default.done') })
          close()
        },
      },
    )
  return (
    <Dialog title={t('default.title')} opened={opened} onClose={close} busy={ask.isPending}>
      <ReasonForm
        words={{
          reason: t('default.reason'),
          missing: t('reason.missing'),
          submit: t('default.submit'),
          busy: t('asking'),
        }}
        busy={ask.isPending}
        error={ask.error && messageOf(ask.error, t('default.failed'))}
        onSubmit={submit}
        onCancel={close}
      >
        <p>
          {t('default.text', {
            borrower: loan.borrower,
            outstanding: text(loan.outstanding ?? 0),
          })}
        </p>
      </ReasonForm>
    </Dialog>
  )
}
