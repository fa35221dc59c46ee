import { messageOf } from '../../api/http/errors.ts'
import { type ShownLoan, useAskApproval } from '../../api/loans.ts'
import { Dialog } from '../../forms/FormDialog.tsx'
import { ReasonForm } from '../../forms/ReasonForm.tsx'
import { t } from '../../i18n/loans.ts'
import { LoanTerms } from '../../panels/loans/LoanTerms.tsx'
import { toast } from '../../ui/toasts.ts'

type Props = {
  readonly story: ShownLoan
  readonly opened: boolean
  readonly onClose: () => void
}

/** Approves a loan as the first of two, with the terms in view. */
export const ApproveDialog = ({ story: { loan, yearlyRate }, opened, onClose }: Props) => {
  const ask = useAskApproval(t('approve.failed'))
  const close = () => {
    ask.reset()
    onClose()
  }
  const submit = (reason: string) =>
    ask.mutate(
      { id: loan.id, reason },
      {
        onSuccess: () => {
          toast({ message: t('approve.done') })
          close()
        },
      },
    )
  return (
    <Dialog title={t('approve.title')} opened={opened} onClose={close} busy={ask.isPending}>
      <ReasonForm
        words={{
          reason: t('reason'),
          missing: t('reason.missing'),
          submit: t('approve'),
          busy: t('asking'),
        }}
        busy={ask.isPending}
        error={ask.error && messageOf(ask.error, t('approve.failed'))}
        onSubmit={submit}
        onCancel={close}
      >
        <p>{t('approve.text')}</p>
        <LoanTerms loan={loan} yearlyRate={yearlyRate} />
      </ReasonForm>
    </Dialog>
  )
}
