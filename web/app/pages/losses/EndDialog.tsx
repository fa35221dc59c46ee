import { messageOf } from '../../api/http/errors.ts'
import type { ShownLosses } from '../../api/losses.ts'
import { useProposalStep } from '../../api/proposals.ts'
import { Dialog } from '../../forms/FormDialog.tsx'
import { ReasonForm } from '../../forms/ReasonForm.tsx'
import { formatRate } from '../../i18n/format.ts'
import { t } from '../../i18n/losses.ts'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import { toast } from '../../ui/toasts.ts'

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
  const submit = (reason: string) => {
    ask.mutate(
      { step: 'ask', asked: { kind, lossId, amount, reason } },
      {
        onSuccess: () => {
          toast({ message: t(`${end}.asked`) })
          onClose()
        },
      },
    )
  }
  const percent = formatRate(invested > 0 ? (amount / invested) * 10_000 : 10_000)
  return (
    <Dialog
      title={t(`${end}.title`, { amount: text(amount) })}
      opened
      onClose={onClose}
      busy={ask.isPending}
    >
      <ReasonForm
        words={{
          reason: t(`${end}.reason`),
          missing: t(`${end}.missing`),
          submit: t(`${end}.ask`),
          busy: t(`${end}.asking`),
        }}
        busy={ask.isPending}
        error={ask.isError ? messageOf(ask.error, t(`${end}.failed`)) : null}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p>
          {end === 'bear'
            ? t('bear.text', { amount: text(amount) })
            : t('share.text', { invested: text(invested), percent, hours })}
        </p>
      </ReasonForm>
    </Dialog>
  )
}
