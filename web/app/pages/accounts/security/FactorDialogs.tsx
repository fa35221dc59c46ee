import { TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import {
  type ListedFactor,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
  useFactorChange,
} from '../../../api/accounts/factors.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/factors.ts'
import { toast } from '../../../ui/toasts.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'

type Props = { readonly factor: ListedFactor; readonly onClose: () => void }

const saidOf = (error: unknown): string | null => (error ? messageOf(error, t('failed')) : null)

export const RenameDialog = ({ factor, onClose }: Props) => {
  const [name, setName] = useState(factor.name)
  const rename = useFactorChange(renameFactor)
  const isNameless = name.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isNameless) return
    const onSuccess = () => {
      onClose()
      toast({ message: t('renamed') })
    }
    rename.mutate({ id: factor.id, name }, { onSuccess })
  }
  return (
    <Dialog title={t('rename.title')} opened onClose={onClose} busy={rename.isPending}>
      <DialogForm
        submitLabel={t('save')}
        busyLabel={t('busy')}
        busy={rename.isPending}
        error={saidOf(rename.error)}
        onSubmit={submit}
        onCancel={onClose}
      >
        <TextInput
          label={t('name')}
          size="md"
          maxLength={60}
          data-autofocus
          value={name}
          error={isNameless ? t('name.needed') : null}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      </DialogForm>
    </Dialog>
  )
}

export const RemoveDialog = ({ factor, isLast, onClose }: Props & { readonly isLast: boolean }) => {
  // The list is loaded again meanwhile, without this factor.
  const [wasLast] = useState(isLast)
  const remove = useFactorChange(removeFactor)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const onSuccess = () => {
      onClose()
      toast({ message: t('removed') })
    }
    remove.mutate(factor.id, { onSuccess })
  }
  return (
    <Dialog title={t('remove.title')} opened onClose={onClose} busy={remove.isPending}>
      <DialogForm
        grave
        submitLabel={t('remove')}
        busyLabel={t('busy')}
        busy={remove.isPending}
        error={saidOf(remove.error)}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p>{t('remove.about', { name: factor.name })}</p>
        {wasLast && <p>{t('remove.last')}</p>}
      </DialogForm>
    </Dialog>
  )
}

export const RenewDialog = ({ onClose }: Pick<Props, 'onClose'>) => {
  const renew = useFactorChange(renewRecoveryCodes)
  const { data: codes } = renew
  const submit = (event: FormEvent) => {
    event.preventDefault()
    renew.mutate(undefined)
  }
  return (
    <Dialog
      title={t('codes')}
      opened
      onClose={onClose}
      busy={renew.isPending || codes !== undefined}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : (
        <DialogForm
          submitLabel={t('codes.renew')}
          busyLabel={t('busy')}
          busy={renew.isPending}
          error={saidOf(renew.error)}
          onSubmit={submit}
          onCancel={onClose}
        >
          <p>{t('codes.renewAbout')}</p>
        </DialogForm>
      )}
    </Dialog>
  )
}
