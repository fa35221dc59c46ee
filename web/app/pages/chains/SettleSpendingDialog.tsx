import { messageOf } from '../../api/http/errors.ts'
import type { Alarm } from '../../api/payoutAlarms.ts'
import { useProposalStep } from '../../api/proposals.ts'
import { Dialog } from '../../forms/FormDialog.tsx'
import { ReasonForm } from '../../forms/ReasonForm.tsx'
import { t } from '../../i18n/chains.ts'
import { toast } from '../../ui/toasts.ts'

type Props = {
  readonly alarm: Alarm
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks to settle coins that no batch explains. A second super admin decides. */
export const SettleSpendingDialog = ({ alarm, opened, onClose }: Props) => {
  const { id: alarmId, network: networkName, total: coins } = alarm
  const transaction = alarm.transaction ?? ''
  const ask = useProposalStep(t('alarm.ask.failed'))
  const close = () => {
    ask.reset()
    onClose()
  }
  const submit = (reason: string) =>
    ask.mutate(
      {
        step: 'ask',
        asked: { kind: 'SETTLE_SPENDING', alarmId, networkName, transaction, coins, reason },
      },
      {
        onSuccess: () => {
          toast({ message: t('alarm.ask.done') })
          close()
        },
      },
    )
  return (
    <Dialog
      title={t('alarm.ask.title', { coins })}
      opened={opened}
      onClose={close}
      busy={ask.isPending}
    >
      <ReasonForm
        words={{
          reason: t('settle.reason'),
          missing: t('settle.missing'),
          submit: t('alarm.ask.submit'),
          busy: t('alarm.ask.busy'),
        }}
        busy={ask.isPending}
        error={ask.isError ? messageOf(ask.error, t('alarm.ask.failed')) : null}
        onSubmit={submit}
        onCancel={close}
      >
        <p>{t('alarm.ask.text')}</p>
      </ReasonForm>
    </Dialog>
  )
}
