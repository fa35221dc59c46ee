import { useRecount } from '../../../api/lending/loans.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/loans.ts'

type Props = {
  readonly loanId: string
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks a second person to place later repayments anew (docs/product.md 5.26). */
export const RecountDialog = ({ loanId, opened, onClose }: Props) => {
  const recount = useRecount(t('recount.failed'))
  return (
    <ReasonDialog
      words={{
        title: t('recount'),
        reason: t('reason'),
        missing: t('reason.missing'),
        submit: t('recount.submit'),
        busy: t('saving'),
        failed: t('recount.failed'),
      }}
      step={recount}
      send={(reason, done) =>
        recount.mutate({ id: loanId, reason }, { onSuccess: () => done(t('takesTwo.asked')) })
      }
      opened={opened}
      onClose={onClose}
    >
      <p>{t('recount.text')}</p>
    </ReasonDialog>
  )
}
