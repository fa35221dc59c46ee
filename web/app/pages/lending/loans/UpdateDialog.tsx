import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { textSchema } from '@pool/contract/base/fields'
import * as validation from '@pool/contract/base/validation'
import { LONGEST_UPDATE } from '@pool/contract/lending/loanRecords'
import { messageOf } from '../../../api/http/errors.ts'
import { useWriteUpdate } from '../../../api/lending/loanRecords.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { rule } from '../../../forms/rule.ts'
import { t } from '../../../i18n/loanRecords.ts'
import { useDraft } from '../../../session/drafts.ts'
import { useSessionUser } from '../../../session/store.ts'
import { toast } from '../../../ui/toasts.ts'

type Props = { readonly loanId: string; readonly opened: boolean; readonly onClose: () => void }

type FormProps = Omit<Props, 'opened'> & { readonly write: ReturnType<typeof useWriteUpdate> }

const empty = { text: '' }
const isText = rule(textSchema(LONGEST_UPDATE, validation.updateMaximum))

const UpdateForm = ({ loanId, write, onClose }: FormProps) => {
  const draft = useDraft(`update ${loanId}`, useSessionUser()?.id ?? '', empty)
  const form = useForm({
    initialValues: draft.initial,
    validate: { text: (text) => (text.trim() === '' ? t('missing') : isText(text)) },
  })
  draft.keep(form.getValues)
  const busy = write.isPending
  const submit = form.onSubmit(({ text }) => {
    if (busy) return
    write.mutate(
      { id: loanId, text: text.trim() },
      {
        onSuccess: () => {
          toast({ message: t('update.done') })
          onClose()
        },
      },
    )
  })
  return (
    <DialogForm
      submitLabel={t('update.submit')}
      busyLabel={t('saving')}
      busy={busy}
      error={write.error && messageOf(write.error, t('update.failed'))}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Textarea
        data-autofocus
        autosize
        minRows={4}
        maxRows={12}
        maxLength={LONGEST_UPDATE}
        label={t('update.text')}
        description={t('update.hint')}
        readOnly={busy}
        {...form.getInputProps('text')}
      />
    </DialogForm>
  )
}

/** Writes an update of a loan (docs/product.md 5.35). */
export const UpdateDialog = ({ loanId, opened, onClose }: Props) => {
  const write = useWriteUpdate(t('update.failed'))
  const close = () => {
    write.reset()
    onClose()
  }
  return (
    <Dialog title={t('update.add')} opened={opened} onClose={close} busy={write.isPending}>
      <UpdateForm loanId={loanId} write={write} onClose={close} />
    </Dialog>
  )
}
