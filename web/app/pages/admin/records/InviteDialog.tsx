import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { INVITE_HOURS, staffRoles } from '@pool/contract/accounts/invites'
import { REGISTRATION_COUNTRY } from '@pool/contract/accounts/users'
import {
  countrySchema,
  emailSchema,
  firstNameSchema,
  lastNameSchema,
} from '@pool/contract/base/fields'
import { useProposalStep } from '../../../api/agreements/proposals.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { rule } from '../../../forms/rule.ts'
import { t } from '../../../i18n/people.ts'
import { toast } from '../../../ui/toasts.ts'

type Props = { readonly opened: boolean; readonly onClose: () => void }

const roles = staffRoles.map((role) => ({ value: role, label: t(`role.${role}`) }))

/** Asks to invite a person to the staff (docs/product.md 3.32). */
export const InviteDialog = ({ opened, onClose }: Props) => {
  const ask = useProposalStep(t('changes.failed'))
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: {
      email: '',
      firstName: '',
      lastName: '',
      country: REGISTRATION_COUNTRY,
      role: 'ADMIN' as (typeof staffRoles)[number],
      reason: '',
    },
    validate: {
      email: rule(emailSchema),
      firstName: rule(firstNameSchema),
      lastName: rule(lastNameSchema),
      country: rule(countrySchema),
      reason: (reason) => (reason.trim() === '' ? t('changes.reason.missing') : null),
    },
  })
  const submit = form.onSubmit((values) => {
    if (ask.isPending) return
    ask.mutate(
      { step: 'ask', asked: { kind: 'INVITE', ...values } },
      {
        onSuccess: (outcome) => {
          toast({ message: t(`changes.done.${outcome}`) })
          onClose()
        },
      },
    )
  })
  const field = (name: keyof typeof form.values) => ({
    label: t(`invite.${name}`),
    readOnly: ask.isPending,
    key: form.key(name),
    ...form.getInputProps(name),
  })
  return (
    <Dialog title={t('invite.title')} opened={opened} onClose={onClose} busy={ask.isPending}>
      <DialogForm
        submitLabel={t('changes.ask')}
        busyLabel={t('changes.asking')}
        busy={ask.isPending}
        error={ask.isError ? messageOf(ask.error, t('changes.failed')) : null}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p>{t('invite.text', { hours: INVITE_HOURS })}</p>
        <TextInput type="email" autoComplete="off" data-autofocus {...field('email')} />
        <TextInput autoComplete="off" {...field('firstName')} />
        <TextInput autoComplete="off" {...field('lastName')} />
        <TextInput autoComplete="off" maxLength={2} {...field('country')} />
        <NativeSelect data={roles} {...field('role')} />
        <Textarea autosize minRows={2} maxRows={6} maxLength={500} {...field('reason')} />
      </DialogForm>
    </Dialog>
  )
}
