import { Textarea } from '@mantine/core'
import type { AskedProposal } from '@pool/contract/agreements/proposals'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useProposalStep } from '../../../api/agreements/proposals.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/reconciliation.ts'
import { toast } from '../../../ui/toasts.ts'

type Props = {
  readonly title: string
  readonly text: string
  /** The proposal with its reason. Null while a field is empty. */
  readonly asked: (reason: string) => AskedProposal | null
  readonly onClose: () => void
  /** Keeps the reason with the other values of a form that has a draft. */
  readonly kept?: { readonly reason: string; readonly onReason: (reason: string) => void }
  readonly children?: (busy: boolean) => ReactNode
}

/** Asks a second super admin for something, with a reason. */
export const AskDialog = ({ title, text, asked, onClose, kept, children }: Props) => {
  const [typed, setTyped] = useState('')
  const { reason, onReason } = kept ?? { reason: typed, onReason: setTyped }
  const [fault, setFault] = useState<string | null>(null)
  const ask = useProposalStep(t('form.failed'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const proposal = reason.trim() === '' ? null : asked(reason)
    if (!proposal) return setFault(t('form.missing'))
    if (ask.isPending) return
    ask.mutate(
      { step: 'ask', asked: proposal },
      {
        onSuccess: () => {
          toast({ message: t('form.asked') })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={title} opened onClose={onClose} busy={ask.isPending}>
      <DialogForm
        submitLabel={t('form.ask')}
        busyLabel={t('form.asking')}
        busy={ask.isPending}
        error={ask.isError ? messageOf(ask.error, t('form.failed')) : null}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p>{text}</p>
        {children?.(ask.isPending)}
        <Textarea
          label={t('form.reason')}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={500}
          value={reason}
          error={fault}
          readOnly={ask.isPending}
          onChange={(event) => {
            onReason(event.currentTarget.value)
            setFault(null)
          }}
        />
      </DialogForm>
    </Dialog>
  )
}
