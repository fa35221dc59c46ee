import { Textarea } from '@mantine/core'
import { LONGEST_TEXT } from '@pool/contract/fields'
import { type FormEvent, type ReactNode, useState } from 'react'
import { DialogForm } from './FormDialog.tsx'

/** Labels of the reason and of the button, at rest and busy, and what an empty reason is told. */
type Words = Readonly<Record<'reason' | 'missing' | 'submit' | 'busy', string>>

type Props = {
  readonly words: Words
  readonly busy: boolean
  /** The sentence of the server, or null. */
  readonly error: string | null
  /** Stands above the reason. */
  readonly children: ReactNode
  readonly onSubmit: (reason: string) => void
  readonly onCancel: () => void
}

/** The form of a dialog for acts that need a reason. */
export const ReasonForm = (props: Props) => {
  const { words, busy, error, children, onSubmit, onCancel } = props
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = reason.trim()
    setMissing(typed === '')
    if (!busy && typed !== '') onSubmit(typed)
  }
  return (
    <DialogForm
      submitLabel={words.submit}
      busyLabel={words.busy}
      busy={busy}
      error={error}
      onSubmit={submit}
      onCancel={onCancel}
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
