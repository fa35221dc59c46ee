import { Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { batchProblem, type ShownBatch, useGiveUpBatch } from '../../../api/coins/batches.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { named, t } from '../../../i18n/batches.ts'
import { toast } from '../../../ui/toasts.ts'

type Props = {
  readonly batch: ShownBatch
  readonly opened: boolean
  readonly onClose: () => void
}

const said = (error: Error): string => {
  const problem = batchProblem(error)?.problem
  return (problem && named(`problem.${problem}`)) || messageOf(error, t('giveUp.failed'))
}

/** Gives a batch up, or the rest that its file left out, with a reason that stays on record. */
export const GiveUpDialog = ({ batch: { id, state }, opened, onClose }: Props) => {
  const isRest = state === 'SEEN'
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const giveUp = useGiveUpBatch(t('giveUp.failed'))
  const close = () => {
    giveUp.reset()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = reason.trim()
    setMissing(typed === '')
    if (giveUp.isPending || typed === '') return
    giveUp.mutate(
      { id, reason: typed },
      {
        onSuccess: () => {
          toast({ message: t(isRest ? 'giveUp.rest.done' : 'giveUp.done') })
          close()
        },
      },
    )
  }
  return (
    <Dialog
      title={t(isRest ? 'giveUp.rest' : 'giveUp.title')}
      opened={opened}
      onClose={close}
      busy={giveUp.isPending}
    >
      <DialogForm
        grave
        submitLabel={t(isRest ? 'giveUp.rest' : 'giveUp')}
        busyLabel={t('giveUp.busy')}
        busy={giveUp.isPending}
        error={giveUp.error && said(giveUp.error)}
        onSubmit={submit}
        onCancel={close}
      >
        <p>{t(isRest ? 'giveUp.rest.text' : 'giveUp.text')}</p>
        <Textarea
          label={t('giveUp.reason')}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={500}
          data-autofocus
          value={reason}
          readOnly={giveUp.isPending}
          error={isMissing && t('giveUp.missing')}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            setMissing(false)
          }}
        />
      </DialogForm>
    </Dialog>
  )
}
