import { type ShownLoan, useAskDefault } from '../../../api/lending/loans.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/loans.ts'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'

type Props = {
  readonly story: ShownLoan
  readonly opened: boolean
  readonly onClose: () => void
}

/** Says why a borrower is unlikely to pay, as the first of two (docs/product.md 5.28). */
export const DefaultDialog = ({ story: { loan }, opened, onClose }: Props) => {
  const ask = useAskDefault(t('default.failed'))
  const text = useDollarText()
  return (
    <ReasonDialog
      grave
      words={{
        title: t('default.title'),
        reason: t('default.reason'),
        missing: t('reason.missing'),
        submit: t('default.submit'),
        busy: t('asking'),
        failed: t('default.failed'),
      }}
      step={ask}
      send={(reason, done) =>
        ask.mutate({ id: loan.id, reason }, { onSuccess: () => done(t('default.done')) })
      }
      opened={opened}
      onClose={onClose}
    >
      <p>
        {t('default.text', {
          borrower: loan.borrower,
          outstanding: text(loan.outstanding ?? 0),
        })}
      </p>
    </ReasonDialog>
  )
}
