import { Textarea } from '@mantine/core'
import { LONGEST_TEXT } from '@pool/contract/base/fields'
import { type FormEvent, type ReactNode, useState } from 'react'
import { messageOf } from '../api/http/errors.ts'
import { toast } from '../ui/toasts.ts'
import { Dialog, DialogForm } from './FormDialog.tsx'

type Props = {
  readonly words: Readonly<
    Record<'title' | 'reason' | 'missing' | 'submit' | 'busy' | 'failed', string>
  >
  /** The mutation, whose failure a closing dialog forgets. */
  readonly step: {
    readonly isPending: boolean
    readonly error: Error | null
    readonly reset: () => void
  }
  /** Starts the mutation, and says at its success what was done. */
  readonly send: (reason: string, done: (message: string) => void) => void
  /** It takes something away, so that its press is red. */
  readonly grave?: boolean
  readonly opened?: boolean
  readonly onClose: () => void
  /** Stands above the reason. */
  readonly children: ReactNode
}

/** The content, which mounts again at each opening and so forgets what was typed. */
const ReasonForm = (props: Props) => {
  const { words, step, send, grave = false, onClose, children } = props
  const { isPending: busy, error } = step
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = reason.trim()
    setMissing(typed === '')
    if (busy || typed === '') return
    send(typed, (message) => {
      toast({ message })
      onClose()
    })
  }
  return (
    <DialogForm
      submitLabel={words.submit}
      busyLabel={words.busy}
      busy={busy}
      grave={grave}
      error={error && messageOf(error, words.failed)}
      onSubmit={submit}
      onCancel={onClose}
    >
      {children}
      <Textarea
        label={words.reason}
        data-autofocus
        autosize
        minRows={2}
        maxRows={6}
        maxLength={LONGEST_TEXT}
        value={reason}
        error={isMissing && words.missing}
        readOnly={busy}
        onChange={(event) => {
          setReason(event.currentTarget.value)
          setMissing(false)
        }}
      />
    </DialogForm>
  )
}

/** The dialog of acts that need a reason and little else. */
export const ReasonDialog = (props: Props) => {
  const { words, step, opened = true, onClose } = props
  const close = () => {
    step.reset()
    onClose()
  }
  return (
    <Dialog title={words.title} opened={opened} onClose={close} busy={step.isPending}>
      <ReasonForm {...props} onClose={close} />
    </Dialog>
  )
}
