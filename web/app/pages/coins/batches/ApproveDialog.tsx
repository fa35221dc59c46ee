import type { FormEvent } from 'react'
import { type ShownBatch, useApproveBatch } from '../../../api/coins/batches.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/batches.ts'
import { toast } from '../../../ui/toasts.ts'
import classes from './Batches.module.css'

type Props = {
  readonly batch: ShownBatch
  readonly opened: boolean
  readonly onClose: () => void
}

/** Approves a batch as the second person, for the file with the shown digest. */
export const ApproveDialog = ({ batch: { id, digest, total, coin }, opened, onClose }: Props) => {
  const approve = useApproveBatch(t('approve.failed'))
  const close = () => {
    approve.reset()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (approve.isPending) return
    approve.mutate(
      { id, digest },
      {
        onSuccess: () => {
          toast({ message: t('approve.done') })
          close()
        },
      },
    )
  }
  return (
    <Dialog title={t('approve.title')} opened={opened} onClose={close} busy={approve.isPending}>
      <DialogForm
        submitLabel={t('approve')}
        busyLabel={t('approve.busy')}
        decides
        busy={approve.isPending}
        error={approve.error && messageOf(approve.error, t('approve.failed'))}
        onSubmit={submit}
        onCancel={close}
      >
        <p>{t('approve.text')}</p>
        <p>
          {total} {coin}
        </p>
        <p className={classes.address}>{digest}</p>
      </DialogForm>
    </Dialog>
  )
}
