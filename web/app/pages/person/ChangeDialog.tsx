import { NativeSelect, Textarea } from '@mantine/core'
import type { AskedChange } from '@pool/contract/accessChanges'
import { roleTypes } from '@pool/contract/users'
import { type FormEvent, useState } from 'react'
import { useAccessChange } from '../../api/accessChanges.ts'
import { messageOf } from '../../api/http/errors.ts'
import type { ShownPerson } from '../../api/people.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { t } from '../../i18n/people.ts'
import { toast } from '../../ui/toasts.ts'
import { roleName } from './OpenChanges.tsx'

type Props = {
  readonly person: ShownPerson
  readonly roles: readonly string[]
  readonly opened: boolean
  readonly onClose: () => void
}
type Choice = Omit<AskedChange, 'userId' | 'reason'> & { readonly label: string }

const choicesFor = ({ person, roles }: Pick<Props, 'person' | 'roles'>): readonly Choice[] => [
  ...roleTypes.map((role) => {
    const kind = roles.includes(role) ? 'REVOKE' : 'GRANT'
    return { kind, role, label: t(`change.${kind}`, { role: roleName(role) }) } as const
  }),
  person.isSuspended
    ? { kind: 'RESUME', label: t('change.RESUME', { role: '' }) }
    : { kind: 'SUSPEND', label: t('change.SUSPEND', { role: '' }) },
]

/** Asks for a change of a person's access. */
export const ChangeDialog = ({ person, roles, opened, onClose }: Props) => {
  const choices = choicesFor({ person, roles })
  const [chosen, setChosen] = useState('0')
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const ask = useAccessChange(t('changes.failed'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { label: _, ...change } = choices[Number(chosen)] ?? choices[0] ?? { label: '' }
    if (reason.trim() === '') return setFault(t('changes.reason.missing'))
    ask.mutate(
      { step: 'ask', change: { ...change, userId: person.id, reason } as AskedChange },
      {
        onSuccess: (isInForce) => {
          toast({ message: t(isInForce ? 'changes.alone' : 'changes.asked') })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={t('changes.title')} opened={opened} onClose={onClose} busy={ask.isPending}>
      <DialogForm
        submitLabel={t('changes.ask')}
        busyLabel={t('changes.asking')}
        busy={ask.isPending}
        error={ask.isError ? messageOf(ask.error, t('changes.failed')) : null}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p>{t('changes.text')}</p>
        <NativeSelect
          label={t('changes.what')}
          data-autofocus
          value={chosen}
          data={choices.map(({ label }, index) => ({ value: String(index), label }))}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <Textarea
          label={t('changes.reason')}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={500}
          value={reason}
          error={fault}
          readOnly={ask.isPending}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            setFault(null)
          }}
        />
      </DialogForm>
    </Dialog>
  )
}
