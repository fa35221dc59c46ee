import { useProposalStep } from '../../../api/agreements/proposals.ts'
import type { Alarm } from '../../../api/coins/payoutAlarms.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/chains.ts'

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
  return (
    <ReasonDialog
      words={{
        title: t('alarm.ask.title', { coins }),
        reason: t('settle.reason'),
        missing: t('settle.missing'),
        submit: t('alarm.ask.submit'),
        busy: t('alarm.ask.busy'),
        failed: t('alarm.ask.failed'),
      }}
      step={ask}
      send={(reason, done) =>
        ask.mutate(
          {
            step: 'ask',
            asked: { kind: 'SETTLE_SPENDING', alarmId, networkName, transaction, coins, reason },
          },
          { onSuccess: () => done(t('alarm.ask.done')) },
        )
      }
      opened={opened}
      onClose={onClose}
    >
      <p>{t('alarm.ask.text')}</p>
    </ReasonDialog>
  )
}
