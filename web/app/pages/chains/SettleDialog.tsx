import { messageOf } from '../../api/http/errors.ts'
import { type Unseen, useSettleUnseen } from '../../api/unseen.ts'
import { Dialog } from '../../forms/FormDialog.tsx'
import { ReasonForm } from '../../forms/ReasonForm.tsx'
import { t } from '../../i18n/chains.ts'
import { toast } from '../../ui/toasts.ts'

type Props = {
  readonly arrival: Unseen
  readonly opened: boolean
  readonly onClose: () => void
}

/** Settles coins that arrived unseen, with what was done about them. */
export const SettleDialog = ({ arrival, opened, onClose }: Props) => {
  const { id, amount, asset } = arrival
  const settle = useSettleUnseen(t('settle.failed'))
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
    <Dialog title={t('settle.title')} opened={opened} onClose={close} busy={settle.isPending}>
      <ReasonForm
        words={{
          reason: t('settle.reason'),
          missing: t('settle.missing'),
          submit: t('settle.submit'),
          busy: t('settle.busy'),
        }}
        busy={settle.isPending}
        error={settle.error && messageOf(settle.error, t('settle.failed'))}
        onSubmit={submit}
        onCancel={close}
      >
        <p>{t('settle.text', { coins: `${amount} ${asset}` })}</p>
      </ReasonForm>
    </Dialog>
  )
}
