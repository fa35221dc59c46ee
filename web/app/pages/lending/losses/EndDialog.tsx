import { useProposalStep } from '../../../api/agreements/proposals.ts'
import type { ShownLosses } from '../../../api/lending/losses.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { formatRate } from '../../../i18n/format.ts'
import { t } from '../../../i18n/losses.ts'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'

type Props = {
  /** The operator bears the open loss, or all investments share it. */
  readonly end: 'bear' | 'share'
  readonly book: Pick<ShownLosses, 'open' | 'invested' | 'noticeHours'> & {
    readonly lossId: string
  }
  readonly onClose: () => void
}

/** Asks to end the open loss. A second super admin decides. */
export const EndDialog = ({ end, book, onClose }: Props) => {
  const { lossId, open: amount, invested, noticeHours: hours } = book
  const text = useDollarText()
  const ask = useProposalStep(t(`${end}.failed`))
  const kind = end === 'bear' ? 'COVER_LOSS' : 'SHARE_LOSS'
  const percent = formatRate(invested > 0 ? (amount / invested) * 10_000 : 10_000)
  return (
    <ReasonDialog
      words={{
        title: t(`${end}.title`, { amount: text(amount) }),
        reason: t(`${end}.reason`),
        missing: t(`${end}.missing`),
        submit: t(`${end}.ask`),
        busy: t(`${end}.asking`),
        failed: t(`${end}.failed`),
      }}
      step={ask}
      send={(reason, done) =>
        ask.mutate(
          { step: 'ask', asked: { kind, lossId, amount, reason } },
          { onSuccess: () => done(t(`${end}.asked`)) },
        )
      }
      onClose={onClose}
    >
      <p>
        {end === 'bear'
          ? t('bear.text', { amount: text(amount) })
          : t('share.text', { invested: text(invested), percent, hours })}
      </p>
    </ReasonDialog>
  )
}
