import { PasswordInput, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { passwordSchema } from '@pool/contract/base/fields'
import { callFailed, succeeded } from '@pool/contract/base/messages'
import * as validation from '@pool/contract/base/validation'
import { useMutation } from '@tanstack/react-query'
import { changePassword } from '../../../api/accounts/users.ts'
import { fieldOf, messageOf } from '../../../api/http/errors.ts'
import { useSubmit } from '../../../api/http/submit.ts'
import { isSamePassword } from '../../../forms/confirms.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { NewPasswordInput, weaknessSaid } from '../../../forms/NewPasswordInput.tsx'
import { rule } from '../../../forms/rule.ts'
import { t } from '../../../i18n/account.ts'
import { type SessionUser, signIn } from '../../../session/store.ts'
import { toast } from '../../../ui/toasts.ts'

type Props = { readonly user: SessionUser; readonly opened: boolean; readonly onClose: () => void }

/** The response's token replaces the stored one, which has ended. */
const useChangePassword = ({ id, email, role }: SessionUser) =>
  useMutation({
    mutationFn: useSubmit(changePassword),
    onSuccess: (token: string) => signIn({ token, userId: id, username: email, role }),
  })

/** Changes the password, which ends every other session. */
export const PasswordDialog = ({ user, opened, onClose }: Props) => {
  const change = useChangePassword(user)
  const close = () => {
    change.reset()
    onClose()
  }
  return (
    <Dialog title={t('password.title')} opened={opened} onClose={close} busy={change.isPending}>
      <PasswordForm user={user} change={change} onClose={close} />
    </Dialog>
  )
}

const validPassword = rule(passwordSchema)

type FormProps = {
  readonly user: SessionUser
  readonly change: ReturnType<typeof useChangePassword>
  readonly onClose: () => void
}

const PasswordForm = ({ user, change, onClose }: FormProps) => {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', newPassword: '', confirmPassword: '' },
    validate: async ({ password, newPassword, confirmPassword }) => ({
      password: validPassword(password),
      newPassword: validPassword(newPassword) ?? (await weaknessSaid(newPassword, user)),
      confirmPassword: isSamePassword(confirmPassword, newPassword)
        ? null
        : validation.passwordsMustMatch,
    }),
  })
  const said = change.isError ? messageOf(change.error, callFailed.changePassword) : null
  const isAboutNew = fieldOf(change.error) === 'newPassword'
  const submit = form.onSubmit(({ password, newPassword }) => {
    if (change.isPending) return
    change.mutate(
      { password, newPassword },
      {
        onSuccess: () => {
          onClose()
          toast({ message: succeeded.passwordChanged })
        },
      },
    )
  })
  const fields = {
    password: 'current-password',
    newPassword: 'new-password',
    confirmPassword: 'new-password',
  } as const
  return (
    <DialogForm
      submitLabel={t('password.submit')}
      busyLabel={t('password.busy')}
      busy={change.isPending}
      error={isAboutNew ? null : said}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('password.about')}
      </Text>
      {(['password', 'newPassword', 'confirmPassword'] as const).map((name) => {
        const input = {
          label: t(`password.${name}`),
          size: 'md',
          autoComplete: fields[name],
          readOnly: change.isPending,
          ...form.getInputProps(name),
        }
        if (name !== 'newPassword')
          return (
            <PasswordInput
              {...input}
              data-autofocus={name === 'password' || undefined}
              key={form.key(name)}
            />
          )
        return (
          <NewPasswordInput
            {...input}
            owner={() => user}
            error={input.error ?? (isAboutNew ? said : null)}
            key={form.key(name)}
          />
        )
      })}
    </DialogForm>
  )
}
