import { useProposalStep } from '../../api/proposals.ts'
import { ReasonDialog } from '../../forms/ReasonDialog.tsx'
import { t } from '../../i18n/losses.ts'
import { useDollarText } from '../../ui/hiddenAmounts.ts'

type Props = {
  readonly step: 'begin' | 'stop' | 'take'
  /** The free reserve, which leaves whole. */
  readonly amount: number
  readonly onClose: () => void
}

/** Asks for a step of the wind-down. A second super admin decides. */
export const StepDialog = ({ step, amount, onClose }: Props) => {
  const text = useDollarText()
  const ask = useProposalStep(t('step.failed'))
  return (
    <ReasonDialog
      words={{
        title: t(`${step}.title`, { amount: text(amount) }),
        reason: t('step.reason'),
        missing: t('step.missing'),
        submit: t('step.ask'),
        busy: t('step.asking'),
        failed: t('step.failed'),
      }}
      step={ask}
      send={(reason, done) => {
        const asked =
          step === 'take'
            ? { kind: 'WITHDRAW_CAPITAL' as const, amount, reason }
            : {
                kind: step === 'begin' ? ('WIND_DOWN' as const) : ('END_WIND_DOWN' as const),
                reason,
              }
        ask.mutate({ step: 'ask', asked }, { onSuccess: () => done(t('step.asked')) })
      }}
      onClose={onClose}
    >
      <p>{t(`${step}.text`)}</p>
    </ReasonDialog>
  )
}
