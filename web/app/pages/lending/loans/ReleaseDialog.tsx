import { type ShownLoan, useAskRelease } from '../../../api/lending/loans.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/loans.ts'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'

type Props = {
  readonly story: ShownLoan
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks to free the money that is reserved for a loan, with the reason (docs/product.md 5.41). */
export const ReleaseDialog = ({ story: { loan }, opened, onClose }: Props) => {
  const text = useDollarText()
  const ask = useAskRelease(t('release.failed'))
  return (
    <ReasonDialog
      words={{
        title: t('release.title'),
        reason: t('reason'),
        missing: t('reason.missing'),
        submit: t('release.submit'),
        busy: t('asking'),
        failed: t('release.failed'),
      }}
      step={ask}
      send={(reason, done) =>
        ask.mutate({ id: loan.id, reason }, { onSuccess: () => done(t('release.done')) })
      }
      opened={opened}
      onClose={onClose}
    >
      <p>{t('release.text', { amount: loan.amount === null ? '' : text(loan.amount) })}</p>
    </ReasonDialog>
  )
}
