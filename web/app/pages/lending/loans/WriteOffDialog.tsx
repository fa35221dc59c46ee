import { type ShownLoan, useAskLoanWriteOff } from '../../../api/lending/loans.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/loans.ts'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'

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
  return (
    <ReasonDialog
      grave
      words={{
        title: t('writeOff.title'),
        reason: t('reason'),
        missing: t('reason.missing'),
        submit: t('writeOff.submit', { amount: text(amount) }),
        busy: t('asking'),
        failed: t('writeOff.failed'),
      }}
      step={ask}
      send={(reason, done) =>
        ask.mutate({ id: loan.id, reason, amount }, { onSuccess: () => done(t('writeOff.done')) })
      }
      opened={opened}
      onClose={onClose}
    >
      <p>{t('writeOff.text', { borrower: loan.borrower, amount: text(amount) })}</p>
      <p>{t(loan.fromInvestors > 0 ? 'writeOff.investors' : 'writeOff.capital')}</p>
    </ReasonDialog>
  )
}
