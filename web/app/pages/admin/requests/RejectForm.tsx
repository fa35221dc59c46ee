import { Button } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { t } from '../../../i18n/queue.ts'
import { ReasonField } from '../decisions/ReasonField.tsx'
import classes from '../queue/QueuePanel.module.css'

type Props = {
  readonly type: string
  readonly busy: boolean
  /** The second press of two that opened this form is not a rejection. */
  readonly isSettling: boolean
  readonly onReject: (reason: string) => void
  readonly onCancel: () => void
}

/** Asks for the reason, which the investor reads. It may stay empty (docs/product.md 5.10). */
export const RejectForm = ({ type, busy, isSettling, onReject, onCancel }: Props) => {
  const [reason, setReason] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && !isSettling) onReject(reason.trim())
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <ReasonField type={type} value={reason} busy={busy} onChange={setReason} />
      <div className={classes.buttons} data-asking>
        <Button
          type="submit"
          color="red"
          mt="sm"
          aria-busy={busy}
          aria-disabled={busy || isSettling || undefined}
        >
          {busy ? t('busy') : t('reject')}
        </Button>
        <Button variant="default" mt="sm" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
