import { Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { ShownClaim } from '../../api/claims.ts'
import { messageOf } from '../../api/http/errors.ts'
import { useProposalStep } from '../../api/proposals.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { t } from '../../i18n/chains.ts'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import { toast } from '../../ui/toasts.ts'

type Props = { readonly claim: ShownClaim; readonly onClose: () => void }

/** Asks that the reserve pay what an investor owes. A second super admin decides. */
export const WriteOffDialog = ({ claim, onClose }: Props) => {
  const { depositId: claimId, userId, userEmail: name, open: amount } = claim
  const text = useDollarText()
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const ask = useProposalStep(t('writeOff.failed'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') return setFault(t('writeOff.reason.missing'))
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
      <DialogForm
        submitLabel={t('writeOff.ask')}
        busyLabel={t('writeOff.asking')}
        busy={ask.isPending}
        error={ask.isError ? messageOf(ask.error, t('writeOff.failed')) : null}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p>{t('writeOff.text', { name })}</p>
        <Textarea
          label={t('writeOff.reason')}
          data-autofocus
          autosize
          minRows={2}
          maxRows={6}
          maxLength={500}
          value={reason}
          error={fault}
          readOnly={ask.isPending}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            setFault(null)
          }}
        />
      </DialogForm>
    </Dialog>
  )
}
