import { Button } from '@mantine/core'
import { useRef } from 'react'
import { Link } from 'react-router'
import {
  type Undelivered as Mail,
  useResendMail,
  useUndelivered,
} from '../../../api/accounts/undelivered.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { t } from '../../../i18n/undelivered.ts'
import { titleOf } from '../../../layout/map.ts'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import {
  type SessionUser,
  seesAccounts,
  useMayWrite,
  useSessionUser,
} from '../../../session/store.ts'
import { Tag } from '../../../tables/cells.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { toast } from '../../../ui/toasts.ts'
import classes from './Undelivered.module.css'

type LineProps = {
  readonly mail: Mail
  /** The mail that is being sent again, or why it was not. */
  readonly again: ReturnType<typeof useResendMail>
  readonly onSent: () => void
}

const Line = ({ mail, again, onSent }: LineProps) => {
  const { id, userId, recipient, subject, createdAt, attempts, lastAttempt, expired } = mail
  const mayWrite = useMayWrite()
  const isDead = mail.status === 'DEAD'
  const isNamed = again.variables === id
  return (
    <li className={classes.line}>
      <div className={classes.words}>
        <strong>{subject}</strong>
        <p className={classes.facts}>
          {userId ? (
            <Link to={`/admin/users/${userId}`}>{recipient}</Link>
          ) : (
            <span>{recipient}</span>
          )}
          <DateTime at={createdAt} />
        </p>
        <p className={classes.facts}>
          <Tag tone={isDead ? 'red' : 'amber'}>{t(isDead ? 'dead' : 'waiting')}</Tag>
          <span>{t('attempts', { count: attempts })}</span>
          {mail.nextAttemptAt && (
            <span>
              {t('next')} <DateTime at={mail.nextAttemptAt} />
            </span>
          )}
        </p>
        {lastAttempt.answer && (
          <p className={classes.answer}>
            {t('answer')} <q>{lastAttempt.answer}</q>
          </p>
        )}
        {expired && <p>{t('expired')}</p>}
        {isNamed && again.isError && (
          <p role="alert">{messageOf(again.error, t('again.failed'))}</p>
        )}
      </div>
      {mayWrite && !expired && (
        <Button
          variant="default"
          aria-label={t('again.named', { subject, recipient })}
          aria-busy={isNamed && again.isPending}
          disabled={again.isPending && !isNamed}
          onClick={() => {
            if (!again.isPending) again.mutate(id, { onSuccess: onSent })
          }}
        >
          {t('again')}
        </Button>
      )}
    </li>
  )
}

const Mails = () => {
  const query = useUndelivered(t('failed'))
  const { data: mails } = query
  // Outlives the rows, so that the outcome is said.
  const again = useResendMail(t('again.failed'))
  const place = useRef<HTMLDivElement>(null)
  if (!mails) return <Pending query={query} failed={t('failed')} loading={t('loading')} />
  return (
    <div ref={place} tabIndex={-1} className={classes.card}>
      {mails.length === 0 && <EmptyState title={t('empty')} text={t('empty.text')} />}
      <ul className={classes.lines} aria-label={t('list')}>
        {mails.map((mail) => (
          <Line
            key={mail.id}
            mail={mail}
            again={again}
            onSent={() => {
              // The pressed button goes with its row.
              place.current?.focus()
              toast({ message: t('again.done', { recipient: mail.recipient }) })
            }}
          />
        ))}
      </ul>
    </div>
  )
}

const Screen = ({ user }: { user: SessionUser }) => (
  <StaffPage user={user} page="mails" text={t(seesAccounts(user) ? 'text' : 'text.admin')}>
    <Mails />
  </StaffPage>
)

export const meta = () => [{ title: titleOf('mails') }]

/** Mails that have not arrived, for staff (docs/product.md 3.30). */
export default function Undelivered() {
  const user = useSessionUser()
  // Null between a logout and the guard's redirect.
  return user ? <Screen user={user} /> : null
}
