import { PasswordInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { emailSchema, passwordSchema } from '@pool/contract/base/fields'
import { useChangeEmail } from '../../../api/accounts/emails.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { rule } from '../../../forms/rule.ts'
import { t } from '../../../i18n/security.ts'

type Props = {
  readonly opened: boolean
  readonly onClose: () => void
  /** Takes the new address, once a mail to it is on its way. */
  readonly onAsked: (email: string) => void
}

/** Asks for a mail to a new address, which changes it. */
export const EmailDialog = ({ opened, onClose, onAsked }: Props) => {
  const change = useChangeEmail(t('email.failed'))
  const close = () => {
    change.reset()
    onClose()
  }
  return (
    <Dialog title={t('email.dialog')} opened={opened} onClose={close} busy={change.isPending}>
      <EmailForm change={change} onClose={close} onAsked={onAsked} />
    </Dialog>
  )
}

const rules = { email: rule(emailSchema), password: rule(passwordSchema) }

type FormProps = Omit<Props, 'opened'> & { readonly change: ReturnType<typeof useChangeEmail> }

const EmailForm = ({ change, onClose, onAsked }: FormProps) => {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: rules,
  })
  const submit = form.onSubmit((values) => {
    if (change.isPending) return
    change.mutate(values, {
      onSuccess: () => {
        onClose()
        onAsked(values.email.trim())
      },
    })
  })
  return (
    <DialogForm
      submitLabel={t('email.submit')}
      busyLabel={t('email.busy')}
      busy={change.isPending}
      error={change.isError ? messageOf(change.error, t('email.failed')) : null}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('email.about')}
      </Text>
      <TextInput
        label={t('email.new')}
        type="email"
        size="md"
        autoComplete="email"
        data-autofocus
        readOnly={change.isPending}
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label={t('email.password')}
        size="md"
        autoComplete="current-password"
        readOnly={change.isPending}
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </DialogForm>
  )
}
