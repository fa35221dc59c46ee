import { useProposalStep } from '../../../api/agreements/proposals.ts'
import type { ShownClaim } from '../../../api/money/claims.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/chains.ts'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'

type Props = { readonly claim: ShownClaim; readonly onClose: () => void }

/** Asks that the reserve pay what an investor owes. A second super admin decides. */
export const WriteOffDialog = ({ claim, onClose }: Props) => {
  const { depositId: claimId, userId, userEmail: name, open: amount } = claim
  const text = useDollarText()
  const ask = useProposalStep(t('writeOff.failed'))
  return (
    <ReasonDialog
      grave
      words={{
        title: t('writeOff.title', { amount: text(amount) }),
        reason: t('writeOff.reason'),
        missing: t('writeOff.reason.missing'),
        submit: t('writeOff.ask'),
        busy: t('writeOff.asking'),
        failed: t('writeOff.failed'),
      }}
      step={ask}
      send={(reason, done) =>
        ask.mutate(
          {
            step: 'ask',
            asked: { kind: 'WRITE_OFF', userId, claimId, amount, reason },
          },
          { onSuccess: () => done(t('writeOff.asked')) },
        )
      }
      onClose={onClose}
    >
      <p>{t('writeOff.text', { name })}</p>
    </ReasonDialog>
  )
}
