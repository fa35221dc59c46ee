import { useProposalStep } from '../../../api/agreements/proposals.ts'
import type { ShownWindDown } from '../../../api/lending/windDown.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/losses.ts'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'
import classes from './Losses.module.css'

type Repayments = ShownWindDown['repayments']

type Props = {
  readonly step: 'begin' | 'stop' | 'take'
  /** The free reserve, which leaves whole. */
  readonly amount: number
  /** Both people say that these arrived, where capital is taken out. */
  readonly repayments: Repayments
  readonly onClose: () => void
}

// Spread, because a linter rejects explicit tab stops.
const scrolls = { tabIndex: 0 }

/** The repayments by their references, the largest first. */
const Confirmed = ({ repayments }: Pick<Props, 'repayments'>) => {
  const { count, amount, largest } = repayments
  const text = useDollarText()
  const more = count - largest.length
  return (
    <>
      <p>{t('take.repayments', { count, amount: text(amount) })}</p>
      {count > 0 && (
        <ul className={classes.confirmed} aria-label={t('take.list')} {...scrolls}>
          {largest.map((each, place) => (
            <li key={place}>
              <span>{each.reference}</span>
              <span>{text(each.amount)}</span>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p>{t('take.more', { count: more })}</p>}
    </>
  )
}

/** Asks for a step of the wind-down. A second super admin decides. */
export const StepDialog = ({ step, amount, repayments, onClose }: Props) => {
  const text = useDollarText()
  const ask = useProposalStep(t('step.failed'))
  return (
    <ReasonDialog
      grave={step === 'begin'}
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
            ? {
                kind: 'WITHDRAW_CAPITAL' as const,
                amount,
                repayments: { ...repayments, largest: [...repayments.largest] },
                reason,
              }
            : {
                kind: step === 'begin' ? ('WIND_DOWN' as const) : ('END_WIND_DOWN' as const),
                reason,
              }
        ask.mutate({ step: 'ask', asked }, { onSuccess: () => done(t('step.asked')) })
      }}
      onClose={onClose}
    >
      <p>{t(`${step}.text`)}</p>
      {step === 'take' && <Confirmed repayments={repayments} />}
    </ReasonDialog>
  )
}
