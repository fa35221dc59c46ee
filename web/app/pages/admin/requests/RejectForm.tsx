import { Button } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { t } from '../../../i18n/queue.ts'
import { ReasonField } from '../decisions/ReasonField.tsx'
import classes from '../queue/QueuePanel.module.css'

type Props = {
  readonly type: string
  readonly busy: boolean
  readonly onReject: (reason: string) => void
  readonly onCancel: () => void
}

/** Asks for the reason, which the investor reads. */
export const RejectForm = ({ type, busy, onReject, onCancel }: Props) => {
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (reason.trim()) onReject(reason.trim())
    else {
      setMissing(t('reasonRequired'))
      form.current?.querySelector('textarea')?.focus()
    }
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <ReasonField
        type={type}
        value={reason}
        busy={busy}
        error={missing}
        onChange={(next) => {
          setMissing(null)
          setReason(next)
        }}
      />
      <div className={classes.buttons} data-asking>
        <Button
          type="submit"
          color="red"
          mt="sm"
          aria-busy={busy}
          aria-disabled={busy || undefined}
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
