import { type ShownLoan, useAskApproval } from '../../../api/lending/loans.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/loans.ts'
import { LoanTerms } from '../../../panels/loans/LoanTerms.tsx'

type Props = {
  readonly story: ShownLoan
  readonly opened: boolean
  readonly onClose: () => void
}

/** Approves a loan as the first of two, with the terms in view. */
export const ApproveDialog = ({ story: { loan, yearlyRate }, opened, onClose }: Props) => {
  const ask = useAskApproval(t('approve.failed'))
  return (
    <ReasonDialog
      words={{
        title: t('approve.title'),
        reason: t('reason'),
        missing: t('reason.missing'),
        submit: t('approve'),
        busy: t('asking'),
        failed: t('approve.failed'),
      }}
      step={ask}
      send={(reason, done) =>
        ask.mutate({ id: loan.id, reason }, { onSuccess: () => done(t('approve.done')) })
      }
      opened={opened}
      onClose={onClose}
    >
      <p>{t('approve.text')}</p>
      <LoanTerms loan={loan} yearlyRate={yearlyRate} />
    </ReasonDialog>
  )
}
