import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useMakeReadingKey } from '../../../api/accounts/readingKeys.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogFoot, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/readingKeys.ts'
import classes from './Factors.module.css'

/** As programs send it, in every language. */
const HEADER = 'Authorization: Bearer read_…'

const DAYS = [30, 90, 365] as const

/** The key, which is shown once, to copy. */
const Made = ({ made, onClose }: { readonly made: string; readonly onClose: () => void }) => {
  const [said, setSaid] = useState<'key.copied' | 'key.refused' | null>(null)
  const copy = async () => {
    try {
      // Pages on plain http have no clipboard.
      await navigator.clipboard.writeText(made)
      setSaid('key.copied')
    } catch {
      setSaid('key.refused')
    }
  }
  return (
    <div className={classes.recovery}>
      <p>{t('key.about')}</p>
      <ul className={classes.codes} aria-label={t('key')}>
        <li>{made}</li>
      </ul>
      <p>
        {t('key.use')} <code>{HEADER}</code>
      </p>
      <DialogFoot note={<p role="status">{said && t(said)}</p>}>
        <Button variant="default" onClick={() => void copy()}>
          {t('key.copy')}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {t('key.done')}
        </Button>
      </DialogFoot>
    </div>
  )
}

/** Makes a key for reading, and shows it this once. */
export const MakeKeyDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const make = useMakeReadingKey(t('make.failed'))
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = name.trim()
    setMissing(typed === '')
    if (make.isPending || typed === '') return
    make.mutate({ name: typed, days: Number(days) })
  }
  const made = make.data
  return (
    <Dialog
      title={made === undefined ? t('make') : t('key')}
      opened
      onClose={onClose}
      busy={make.isPending || made !== undefined}
    >
      {made === undefined ? (
        <DialogForm
          submitLabel={t('make')}
          busyLabel={t('make.busy')}
          busy={make.isPending}
          error={make.error && messageOf(make.error, t('make.failed'))}
          onSubmit={submit}
          onCancel={onClose}
        >
          <TextInput
            label={t('make.name')}
            description={t('make.name.hint')}
            data-autofocus
            autoComplete="off"
            maxLength={60}
            value={name}
            error={isMissing && t('make.name.missing')}
            readOnly={make.isPending}
            onChange={({ currentTarget }) => {
              setName(currentTarget.value)
              setMissing(false)
            }}
          />
          <NativeSelect
            label={t('make.days')}
            data={DAYS.map((each) => ({ value: String(each), label: t(`make.days.${each}`) }))}
            value={days}
            disabled={make.isPending}
            onChange={({ currentTarget }) => setDays(currentTarget.value)}
          />
        </DialogForm>
      ) : (
        <Made made={made} onClose={onClose} />
      )}
    </Dialog>
  )
}
