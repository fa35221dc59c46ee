import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { passwordSchema } from '@pool/contract/base/fields'
import { messageOf } from '../../../api/http/errors.ts'
import { useCloseAccount } from '../../../api/reports/ownData.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { rule } from '../../../forms/rule.ts'
import { t } from '../../../i18n/ownData.ts'
import { dropDraft } from '../../../session/drafts.ts'
import { endFor } from '../../../session/store.ts'

type Props = { readonly opened: boolean; readonly onClose: () => void }

/** Says what goes and what stays, and closes the account. */
export const CloseDialog = ({ opened, onClose }: Props) => {
  const closing = useCloseAccount(t('close.failed'))
  const close = () => {
    closing.reset()
    onClose()
  }
  return (
    <Dialog title={t('close.title')} opened={opened} onClose={close} busy={closing.isPending}>
      <CloseForm closing={closing} onCancel={close} />
    </Dialog>
  )
}

type FormProps = {
  readonly closing: ReturnType<typeof useCloseAccount>
  readonly onCancel: () => void
}

const CloseForm = ({ closing, onCancel }: FormProps) => {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: rule(passwordSchema) },
  })
  const submit = form.onSubmit(({ password }) => {
    if (closing.isPending) return
    // The session has ended on the server, which may take this dialog away first. A new page leaves
    // nothing of the account in memory.
    const leave = () => {
      endFor('refused', t('close.done'))
      dropDraft()
      window.location.assign('/login')
    }
    closing.mutateAsync(password).then(leave, () => undefined)
  })
  return (
    <DialogForm
      grave
      submitLabel={t('close.submit')}
      busyLabel={t('close.busy')}
      busy={closing.isPending}
      error={closing.isError ? messageOf(closing.error, t('close.failed')) : null}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <p>{t('close.goes')}</p>
      <p>{t('close.stays')}</p>
      <p>{t('close.before')}</p>
      <PasswordInput
        label={t('close.password')}
        size="md"
        autoComplete="current-password"
        data-autofocus
        readOnly={closing.isPending}
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </DialogForm>
  )
}
