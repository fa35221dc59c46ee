import { messageOf } from '../../api/http/errors.ts'
import { Dialog } from '../../forms/FormDialog.tsx'
import { ReasonForm } from '../../forms/ReasonForm.tsx'
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

/** Settles a line with what was done about it. */
export const SettleDialog = ({ id, title, text, failed, settle, opened, onClose }: Props) => {
  const close = () => {
    settle.reset()
    onClose()
  }
  const submit = (reason: string) =>
    settle.mutate(
      { id, reason },
      {
        onSuccess: () => {
          toast({ message: t('settle.done') })
          close()
        },
      },
    )
  return (
    <Dialog title={title} opened={opened} onClose={close} busy={settle.isPending}>
      <ReasonForm
        words={{
          reason: t('settle.reason'),
          missing: t('settle.missing'),
          submit: t('settle.submit'),
          busy: t('settle.busy'),
        }}
        busy={settle.isPending}
        error={settle.error && messageOf(settle.error, failed)}
        onSubmit={submit}
        onCancel={close}
      >
        <p>{text}</p>
      </ReasonForm>
    </Dialog>
  )
}
