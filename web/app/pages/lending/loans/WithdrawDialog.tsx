import { useWithdraw } from '../../../api/lending/loanRecords.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/loanRecords.ts'

type Props = {
  readonly kind: 'collateral' | 'document'
  readonly id: string
  /** The title of the record. */
  readonly name: string
  readonly opened: boolean
  readonly onClose: () => void
}

/** Marks collateral or a document as withdrawn, with the reason (docs/product.md 5.35). */
export const WithdrawDialog = ({ kind, id, name, opened, onClose }: Props) => {
  const withdraw = useWithdraw(kind, t('withdraw.failed'))
  return (
    <ReasonDialog
      grave
      words={{
        title: t(`${kind}.withdraw.title`),
        reason: t('withdraw.reason'),
        missing: t('withdraw.missing'),
        submit: t('withdraw'),
        busy: t('saving'),
        failed: t('withdraw.failed'),
      }}
      step={withdraw}
      send={(reason, done) =>
        withdraw.mutate({ id, reason }, { onSuccess: () => done(t('withdraw.done')) })
      }
      opened={opened}
      onClose={onClose}
    >
      <p>{t('withdraw.text', { name })}</p>
    </ReasonDialog>
  )
}
