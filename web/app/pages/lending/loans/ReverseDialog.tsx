import { type ShownRepayment, useReverseRepayment } from '../../../api/lending/loans.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/loans.ts'
import { TakesTwo } from '../../../panels/loans/TakesTwo.tsx'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'

type Props = {
  readonly repayment: ShownRepayment
  readonly opened: boolean
  readonly onClose: () => void
}

/** Takes a repayment back that was recorded wrongly. */
export const ReverseDialog = ({ repayment, opened, onClose }: Props) => {
  const { id, principal, interest, recovered, reference, valueOn } = repayment
  const text = useDollarText()
  const reverse = useReverseRepayment(t('reverse.failed'))
  return (
    <ReasonDialog
      grave
      words={{
        title: t('reverse.title'),
        reason: t('reason'),
        missing: t('reason.missing'),
        submit: t('reverse.submit'),
        busy: t('saving'),
        failed: t('reverse.failed'),
      }}
      step={reverse}
      send={(reason, done) =>
        reverse.mutate(
          { id, reason },
          {
            onSuccess: (proposalId) =>
              done(t(proposalId === null ? 'reverse.done' : 'takesTwo.asked')),
          },
        )
      }
      opened={opened}
      onClose={onClose}
    >
      <p>
        {recovered > 0
          ? t('reverse.text.recovered', { reference, recovered: text(recovered) })
          : t('reverse.text', {
              reference,
              principal: text(principal),
              interest: text(interest),
            })}
      </p>
      <TakesTwo amount={principal + interest + recovered} valueOn={valueOn} />
    </ReasonDialog>
  )
}
