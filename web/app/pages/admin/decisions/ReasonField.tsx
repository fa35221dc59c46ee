import { Textarea } from '@mantine/core'
import { useRef } from 'react'
import { t } from '../../../i18n/admin.ts'
import classes from './ReasonField.module.css'

/** The usual reasons to reject. Their sentences are in the catalogues under `reasons.NAME`. */
const usual = {
  deposit: ['missing', 'coin', 'duplicate', 'asked', 'proof'],
  withdrawal: ['address', 'network', 'name', 'duplicate', 'asked', 'proof'],
} as const

type Props = {
  /** The type of the rejected transaction. */
  readonly type: string
  readonly value: string
  readonly busy: boolean
  readonly onChange: (reason: string) => void
}

/** The reason of a rejection: a usual one to choose and to edit, or the approver's own words. */
export const ReasonField = ({ type, value, busy, onChange }: Props) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const choose = (reason: string) => {
    onChange(reason)
    field.current?.focus()
  }
  return (
    <div className={classes.field}>
      <Textarea
        ref={field}
        label={t('reject.label')}
        placeholder={t('reject.placeholder')}
        description={t('reject.shown')}
        autosize
        minRows={3}
        maxRows={8}
        maxLength={500}
        data-autofocus
        value={value}
        readOnly={busy}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <ul className={classes.usual} aria-label={t('reasons')}>
        {usual[type === 'deposit' ? 'deposit' : 'withdrawal'].map((name) => (
          <li key={name}>
            <button type="button" disabled={busy} onClick={() => choose(t(`reasons.${name}`))}>
              {t(`reasons.${name}`)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
