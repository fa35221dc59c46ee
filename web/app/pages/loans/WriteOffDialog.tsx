import { messageOf } from '../../api/http/errors.ts'
import { type ShownLoan, useAskLoanWriteOff } from '../../api/loans.ts'
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

/** Gives up a loan in default, as the first of two super admins (docs/product.md 5.28). */
export const WriteOffDialog = ({ story: { loan }, opened, onClose }: Props) => {
  const ask = useAskLoanWriteOff(t('writeOff.failed'))
  const text = useDollarText()
  // The sum stays as it was shown, and the server refuses another one.
  const amount = loan.outstanding ?? 0
  const close = () => {
    ask.reset()
    onClose()
  }
  const submit = (reason: string) =>
    ask.mutate(
      { id: loan.id, reason, amount },
      {
        onSuccess: () => {
          toast({ message: t('writeOff.done') })
          close()
        },
      },
    )
  return (
    <Dialog title={t('writeOff.title')} opened={opened} onClose={close} busy={ask.isPending}>
      <ReasonForm
        words={{
          reason: t('reason'),
          missing: t('reason.missing'),
          submit: t('writeOff.submit', { amount: text(amount) }),
          busy: t('asking'),
        }}
        busy={ask.isPending}
        error={ask.error && messageOf(ask.error, t('writeOff.failed'))}
        onSubmit={submit}
        onCancel={close}
      >
        <p>{t('writeOff.text', { borrower: loan.borrower, amount: text(amount) })}</p>
        <p>{t(loan.fromInvestors > 0 ? 'writeOff.investors' : 'writeOff.capital')}</p>
      </ReasonForm>
    </Dialog>
  )
}
