import { Textarea } from '@mantine/core'
import { LONGEST_SETTLING } from '@pool/contract/unseen'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { t } from '../../i18n/chains.ts'
import { toast } from '../../ui/toasts.ts'

type Settle = {
  readonly mutate: (
    settling: { readonly id: string; readonly reason: string },
    options: { readonly onSuccess: () => void },
  ) => void
  readonly isPending: boolean
  readonly error: Error | null
  readonly reset: () => void
}

type Props = {
  readonly id: string
  readonly title: string
  readonly text: string
  /** Said of a failure without a sentence. */
  readonly failed: string
  readonly settle: Settle
  readonly opened: boolean
  readonly onClose: () => void
}

type FormProps = Omit<Props, 'title' | 'opened'>

const SettleForm = ({ id, text, failed, settle, onClose }: FormProps) => {
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = reason.trim()
    setMissing(typed === '')
    if (settle.isPending || typed === '') return
    settle.mutate(
      { id, reason: typed },
      {
        onSuccess: () => {
          toast({ message: t('settle.done') })
          onClose()
        },
      },
    )
  }
  return (
    <DialogForm
      submitLabel={t('settle.submit')}
      busyLabel={t('settle.busy')}
      busy={settle.isPending}
      error={settle.error && messageOf(settle.error, failed)}
      onSubmit={submit}
      onCancel={onClose}
    >
      <p>{text}</p>
      <Textarea
        label={t('settle.reason')}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={LONGEST_SETTLING}
        data-autofocus
        value={reason}
        readOnly={settle.isPending}
        error={isMissing && t('settle.missing')}
        onChange={(event) => {
          setReason(event.currentTarget.value)
          setMissing(false)
        }}
      />
    </DialogForm>
  )
}

/** Settles a line with what was done about it. */
export const SettleDialog = ({ title, opened, settle, onClose, ...form }: Props) => {
  const close = () => {
    settle.reset()
    onClose()
  }
  return (
    <Dialog title={title} opened={opened} onClose={close} busy={settle.isPending}>
      <SettleForm settle={settle} onClose={close} {...form} />
    </Dialog>
  )
}
