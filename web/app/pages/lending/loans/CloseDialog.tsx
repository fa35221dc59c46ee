import { NativeSelect } from '@mantine/core'
import { closedStatuses } from '@pool/contract/lending/loans'
import { useState } from 'react'
import { type ShownLoan, useCloseLoan } from '../../../api/lending/loans.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/loans.ts'
import { known } from '../../../panels/loans/typedTerms.ts'

type Props = {
  readonly story: ShownLoan
  readonly opened: boolean
  readonly onClose: () => void
}

/** Ends an application before its disbursement, with the reason (docs/product.md 5.31). */
export const CloseDialog = ({ story: { loan }, opened, onClose }: Props) => {
  const end = useCloseLoan(t('close.failed'))
  const [outcome, setOutcome] = useState<string>(closedStatuses[0])
  return (
    <ReasonDialog
      grave
      words={{
        title: t('close.title'),
        reason: t('reason'),
        missing: t('reason.missing'),
        submit: t('close.submit'),
        busy: t('saving'),
        failed: t('close.failed'),
      }}
      step={end}
      send={(reason, done) =>
        end.mutate(
          { id: loan.id, reason, outcome: known(closedStatuses, outcome) },
          { onSuccess: () => done(t('close.done')) },
        )
      }
      opened={opened}
      onClose={onClose}
    >
      <p>{t('close.text')}</p>
      <NativeSelect
        label={t('close.outcome')}
        data={closedStatuses.map((value) => ({ value, label: t(`close.${value}`) }))}
        value={outcome}
        disabled={end.isPending}
        onChange={(event) => setOutcome(event.currentTarget.value)}
      />
    </ReasonDialog>
  )
}
