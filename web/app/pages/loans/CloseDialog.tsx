import { NativeSelect } from '@mantine/core'
import { closedStatuses } from '@pool/contract/loans'
import { useState } from 'react'
import { messageOf } from '../../api/http/errors.ts'
import { type ShownLoan, useCloseLoan } from '../../api/loans.ts'
import { Dialog } from '../../forms/FormDialog.tsx'
import { ReasonForm } from '../../forms/ReasonForm.tsx'
import { t } from '../../i18n/loans.ts'
import { known } from '../../panels/loans/typedTerms.ts'
import { toast } from '../../ui/toasts.ts'

type Props = {
  readonly story: ShownLoan
  readonly opened: boolean
  readonly onClose: () => void
}

/** Ends an application before its disbursement, with the reason (docs/product.md 5.31). */
export const CloseDialog = ({ story: { loan }, opened, onClose }: Props) => {
  const end = useCloseLoan(t('close.failed'))
  const [outcome, setOutcome] = useState<string>(closedStatuses[0])
  const close = () => {
    end.reset()
    onClose()
  }
  const submit = (reason: string) =>
    end.mutate(
      { id: loan.id, reason, outcome: known(closedStatuses, outcome) },
      {
        onSuccess: () => {
          toast({ message: t('close.done') })
          close()
        },
      },
    )
  return (
    <Dialog title={t('close.title')} opened={opened} onClose={close} busy={end.isPending}>
      <ReasonForm
        words={{
          reason: t('reason'),
          missing: t('reason.missing'),
          submit: t('close.submit'),
          busy: t('saving'),
        }}
        busy={end.isPending}
        error={end.error && messageOf(end.error, t('close.failed'))}
        onSubmit={submit}
        onCancel={close}
      >
        <p>{t('close.text')}</p>
        <NativeSelect
          label={t('close.outcome')}
          data={closedStatuses.map((value) => ({ value, label: t(`close.${value}`) }))}
          value={outcome}
          disabled={end.isPending}
          onChange={(event) => setOutcome(event.currentTarget.value)}
        />
      </ReasonForm>
    </Dialog>
  )
}
