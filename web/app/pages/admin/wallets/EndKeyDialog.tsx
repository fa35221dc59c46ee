import { Text } from '@mantine/core'
import { type FormEvent, useEffect } from 'react'
import { type KeyRow, useEndKey } from '../../../api/chain/addressKeys.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/keys.ts'
import { toast } from '../../../ui/toasts.ts'

type Props = {
  readonly row: KeyRow
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks before a key ends, and says what becomes of its addresses. */
export const EndKeyDialog = ({ row, opened, onClose }: Props) => {
  const { mutate, isPending, error, reset } = useEndKey(t('end.failed'))
  useEffect(() => {
    if (opened) reset()
  }, [opened, reset])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    mutate(row.id, {
      onSuccess: (waits) => {
        toast({ message: t(waits ? 'end.waits' : 'end.done') })
        onClose()
      },
    })
  }
  return (
    <Dialog title={t('end.title')} opened={opened} onClose={onClose} busy={isPending}>
      <DialogForm
        grave
        submitLabel={t('end.submit')}
        busyLabel={t('end.busy')}
        busy={isPending}
        error={error ? messageOf(error, t('end.failed')) : null}
        onSubmit={submit}
        onCancel={onClose}
      >
        <Text>{t('end.question', { ahead: row.ahead })}</Text>
        <Text size="sm" c="dimmed">
          {row.networkName} {row.fingerprint}
        </Text>
      </DialogForm>
    </Dialog>
  )
}
