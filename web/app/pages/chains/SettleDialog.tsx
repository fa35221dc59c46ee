import { Textarea } from '@mantine/core'
import { LONGEST_SETTLING } from '@pool/contract/unseen'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../api/http/errors.ts'
import { type Unseen, useSettleUnseen } from '../../api/unseen.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { t } from '../../i18n/chains.ts'
import { toast } from '../../ui/toasts.ts'

type Props = {
  readonly arrival: Unseen
  readonly opened: boolean
  readonly onClose: () => void
}

type FormProps = Pick<Props, 'arrival' | 'onClose'> & {
  readonly settle: ReturnType<typeof useSettleUnseen>
}

const SettleForm = ({ arrival: { id, amount, asset }, settle, onClose }: FormProps) => {
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
      error={settle.error && messageOf(settle.error, t('settle.failed'))}
      onSubmit={submit}
      onCancel={onClose}
    >
      <p>{t('settle.text', { coins: `${amount} ${asset}` })}</p>
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

/** Settles coins that arrived unseen, with what was done about them. */
export const SettleDialog = ({ arrival, opened, onClose }: Props) => {
  const settle = useSettleUnseen(t('settle.failed'))
  const close = () => {
    settle.reset()
    onClose()
  }
  return (
    <Dialog title={t('settle.title')} opened={opened} onClose={close} busy={settle.isPending}>
      <SettleForm arrival={arrival} settle={settle} onClose={close} />
    </Dialog>
  )
}
