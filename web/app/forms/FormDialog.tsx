import { Button, Modal } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { common } from '../i18n/common.ts'
import { useHeldToasts } from '../ui/heldToasts.ts'
import { useOpening } from '../ui/settling.ts'
import classes from './FormDialog.module.css'

type DialogProps = {
  readonly title: string
  readonly opened: boolean
  readonly onClose: () => void
  /** A busy dialog stays open, so that the outcome is seen. */
  readonly busy?: boolean
  readonly children: ReactNode
}

/**
 * Shows a dialog, and gives the focus back to its opener, or to the page if that is gone. Mantine
 * gives it back only after a change of `opened`, which dialogs of late code never see.
 */
const useShown = (opened: boolean) => {
  const [shown, setShown] = useState(false)
  const opener = useRef<Element>(null)
  const giveBack = useCallback(() => {
    const target = opener.current?.isConnected ? opener.current : document.querySelector('main')
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    setShown(opened)
    if (!opened) return
    opener.current = document.activeElement
    return giveBack
  }, [opened, giveBack])
  return { shown, giveBack }
}

/**
 * Gives the focus back once the dialog is gone from the document. A dialog that was closed while it
 * opened takes the focus later than it was given back, and to the end.
 */
const FocusKeeper = ({ giveBack }: { giveBack: () => void }) => {
  useEffect(
    () => () => {
      if (document.activeElement === document.body) giveBack()
    },
    [giveBack],
  )
  return null
}

/** The frame of every dialog, on phones a sheet. Its content mounts again at each opening. */
export const Dialog = ({ title, opened, onClose, busy = false, children }: DialogProps) => {
  const { shown, giveBack } = useShown(opened)
  useHeldToasts(shown, 'middle')
  return (
    <Modal
      opened={shown}
      returnFocus={false}
      onClose={() => {
        if (!busy) onClose()
      }}
      title={title}
      centered
      size="md"
      radius="lg"
      classNames={{
        inner: classes.inner ?? '',
        content: classes.content ?? '',
        title: classes.title ?? '',
        header: classes.header ?? '',
        body: classes.body ?? '',
      }}
      closeButtonProps={{ 'aria-label': common('close'), disabled: busy }}
      overlayProps={{ backgroundOpacity: 0.5 }}
      transitionProps={{ transition: 'fade-up', duration: 160 }}
    >
      <FocusKeeper giveBack={giveBack} />
      {children}
    </Modal>
  )
}

type FootProps = {
  /** The sentence of the server, or null. */
  readonly error?: string | null
  /** Stays in view above the actions. */
  readonly note?: ReactNode
  readonly children: ReactNode
}

/** The actions of a dialog, which stay in view, with the error beside them. */
export const DialogFoot = ({ error = null, note, children }: FootProps) => (
  <div className={classes.foot}>
    {note}
    {error && (
      <p className={classes.error} role="alert">
        <IconAlertCircle size={20} stroke={1.75} aria-hidden />
        {error}
      </p>
    )}
    <div className={classes.actions}>{children}</div>
  </div>
)

/** After a refused submit, focuses the first field at fault. */
const useFaultFocus = (busy: boolean) => {
  const form = useRef<HTMLFormElement>(null)
  const submitted = useRef(false)
  useEffect(() => {
    if (!submitted.current || busy) return
    const fault = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (!fault) return
    submitted.current = false
    fault.focus()
  })
  return {
    form,
    onSubmitted: () => {
      submitted.current = true
    },
    onInput: () => {
      submitted.current = false
    },
  }
}

type FormProps = {
  readonly submitLabel: string
  readonly busyLabel: string
  readonly busy: boolean
  /** It decides about money, so that it rests after it opened. */
  readonly decides?: boolean
  /** It takes something away, so that its press is red. */
  readonly grave?: boolean
  /** The submit button's words while it is off, such as 'Deposits are paused'. */
  readonly offLabel?: string | null
  /** The sentence of the server, or null. Required, so that no form forgets it. */
  readonly error: string | null
  /** Says what submitting will do, in view above the actions. */
  readonly note?: ReactNode
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  readonly onCancel: () => void
  readonly children: ReactNode
}

/** The form in a dialog: fields, the server's sentence, Cancel and submit. */
export const DialogForm = ({
  submitLabel,
  busyLabel,
  busy,
  decides = false,
  grave = false,
  offLabel = null,
  error,
  note,
  onSubmit,
  onCancel,
  children,
}: FormProps) => {
  const { form, onSubmitted, onInput } = useFaultFocus(busy)
  const isOpening = useOpening()
  const isOff = busy || offLabel !== null || (decides && isOpening)
  return (
    <form
      ref={form}
      className={classes.form}
      onInput={onInput}
      onSubmit={(event) => {
        if (isOff) return event.preventDefault()
        onSubmitted()
        onSubmit(event)
      }}
      noValidate
    >
      {children}
      <DialogFoot error={error} note={note}>
        <Button variant="default" onClick={onCancel} disabled={busy}>
          {common('cancel')}
        </Button>
        {/* `disabled` would take the focus away. */}
        <Button
          type="submit"
          {...(grave && { color: 'red' })}
          aria-busy={busy}
          aria-disabled={isOff}
          {...(isOff && { 'data-disabled': true })}
        >
          {busy ? busyLabel : (offLabel ?? submitLabel)}
        </Button>
      </DialogFoot>
    </form>
  )
}
