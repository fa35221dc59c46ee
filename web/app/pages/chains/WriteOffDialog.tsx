import type { ShownClaim } from '../../api/claims.ts'
import { messageOf } from '../../api/http/errors.ts'
import { useProposalStep } from '../../api/proposals.ts'
import { Dialog } from '../../forms/FormDialog.tsx'
import { ReasonForm } from '../../forms/ReasonForm.tsx'
import { t } from '../../i18n/chains.ts'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import { toast } from '../../ui/toasts.ts'

type Props = { readonly claim: ShownClaim; readonly onClose: () => void }

/** Asks that the reserve pay what an investor owes. A second super admin decides. */
export const WriteOffDialog = ({ claim, onClose }: Props) => {
  const { depositId: claimId, userId, userEmail: name, open: amount } = claim
  const text = useDollarText()
  const ask = useProposalStep(t('writeOff.failed'))
  const submit = (reason: string) => {
    ask.mutate(
      { step: 'ask', asked: { kind: 'WRITE_OFF', userId, claimId, amount, reason } },
      {
        onSuccess: () => {
          toast({ message: t('writeOff.asked') })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      title={t('writeOff.title', { amount: text(amount) })}
      opened
      onClose={onClose}
      busy={ask.isPending}
    >
      <ReasonForm
        words={{
          reason: t('writeOff.reason'),
          missing: t('writeOff.reason.missing'),
          submit: t('writeOff.ask'),
          busy: t('writeOff.asking'),
        }}
        busy={ask.isPending}
        error={ask.isError ? messageOf(ask.error, t('writeOff.failed')) : null}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p>{t('writeOff.text', { name })}</p>
      </ReasonForm>
    </Dialog>
  )
}
