import { PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import {
  addPasskey,
  beginTotp,
  confirmTotp,
  useFactorChange,
} from '../../../api/accounts/factors.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/factors.ts'
import { QrCode } from '../../../ui/QrCode.tsx'
import classes from './Factors.module.css'
import { RecoveryCodes } from './RecoveryCodes.tsx'

type Kind = 'TOTP' | 'PASSKEY'
type Props = {
  readonly kind: Kind
  /** The first factor needs the password. */
  readonly isFirst: boolean
  readonly onClose: () => void
}

/** Adds an authenticator app or a passkey, and shows the recovery codes of the first factor. */
export const AddFactorDialog = ({ kind, isFirst, onClose }: Props) => {
  // The list is loaded again meanwhile, with the first factor in it.
  const [needsPassword] = useState(isFirst)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [busy, setBusy] = useState(false)
  const added = (recoveryCodes: readonly string[]) => {
    if (recoveryCodes.length === 0) onClose()
    else setCodes(recoveryCodes)
  }
  const Form = kind === 'TOTP' ? AppForm : PasskeyForm
  return (
    <Dialog
      title={codes ? t('codes') : t(kind === 'TOTP' ? 'app.add' : 'passkey.add')}
      opened
      onClose={onClose}
      busy={busy || codes !== null}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : (
        <Form needsPassword={needsPassword} onBusy={setBusy} onAdded={added} onCancel={onClose} />
      )}
    </Dialog>
  )
}

type FormProps = {
  readonly needsPassword: boolean
  readonly onBusy: (busy: boolean) => void
  readonly onAdded: (recoveryCodes: readonly string[]) => void
  readonly onCancel: () => void
}

type Field = { readonly value: string; readonly onChange: (value: string) => void }

const Name = ({ value, onChange, error }: Field & { readonly error: string | null }) => (
  <TextInput
    label={t('name')}
    description={t('name.hint')}
    size="md"
    maxLength={60}
    value={value}
    error={error}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)

const Password = ({ value, onChange }: Field) => (
  <PasswordInput
    label={t('password')}
    size="md"
    autoComplete="current-password"
    data-autofocus
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)

const passwordOf = (needsPassword: boolean, password: string) => (needsPassword ? { password } : {})

const saidOf = (error: unknown): string | null => (error ? messageOf(error, t('failed')) : null)

const AppForm = ({ needsPassword, onBusy, onAdded, onCancel }: FormProps) => {
  const [password, setPassword] = useState('')
  const [name, setName] = useState(t('app.name'))
  const [code, setCode] = useState('')
  const begin = useFactorChange(beginTotp)
  const confirm = useFactorChange(confirmTotp)
  const { data: begun } = begin
  const step = begun ? confirm : begin
  const isNameless = name.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isNameless) return
    const settled = { onSettled: () => onBusy(false) }
    onBusy(true)
    if (begun)
      confirm.mutate(
        { enrolment: begun.enrolment, name, code },
        { ...settled, onSuccess: onAdded, onError: () => setCode('') },
      )
    else begin.mutate(passwordOf(needsPassword, password), settled)
  }
  return (
    <DialogForm
      submitLabel={t(begun ? 'app.confirm' : 'next')}
      busyLabel={t('busy')}
      busy={step.isPending}
      error={saidOf(step.error)}
      onSubmit={submit}
      onCancel={onCancel}
    >
      {!begun && needsPassword && <Password value={password} onChange={setPassword} />}
      {!begun && (
        <Name value={name} onChange={setName} error={isNameless ? t('name.needed') : null} />
      )}
      {begun && (
        <>
          <p>{t('app.scan')}</p>
          <div className={classes.scan}>
            <QrCode text={begun.uri} label={t('app.code')} className={classes.code ?? ''} />
            <p className={classes.key}>
              {t('app.key')}
              <code>{begun.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
            </p>
          </div>
          <TextInput
            label={t('app.digits')}
            size="md"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            autoFocus
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
        </>
      )}
    </DialogForm>
  )
}

const PasskeyForm = ({ needsPassword, onBusy, onAdded, onCancel }: FormProps) => {
  const [password, setPassword] = useState('')
  const [name, setName] = useState(t('passkey.name'))
  const add = useFactorChange(addPasskey)
  const isNameless = name.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isNameless) return
    onBusy(true)
    add.mutate(
      { name, ...passwordOf(needsPassword, password) },
      { onSuccess: onAdded, onSettled: () => onBusy(false) },
    )
  }
  return (
    <DialogForm
      submitLabel={t('passkey.confirm')}
      busyLabel={t('busy')}
      busy={add.isPending}
      error={saidOf(add.error)}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <p>{t('passkey.about')}</p>
      {needsPassword && <Password value={password} onChange={setPassword} />}
      <Name value={name} onChange={setName} error={isNameless ? t('name.needed') : null} />
    </DialogForm>
  )
}
