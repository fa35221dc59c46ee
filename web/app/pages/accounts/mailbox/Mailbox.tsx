import type { KeyboardEvent } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'
import { type ListedMail, useMails } from '../../../api/accounts/mails.ts'
import { configuration } from '../../../configuration.ts'
import { t } from '../../../i18n/mailbox.ts'
import { titleOf } from '../../../layout/map.ts'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { type SessionUser, useSessionUser } from '../../../session/store.ts'
import { Email } from '../../../ui/Email.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { RecentTime } from '../../../ui/RelativeTime.tsx'
import classes from './Mailbox.module.css'
import { ReadingPane } from './ReadingPane.tsx'

/** The query parameter with the id of the mail that is read. */
const MAIL = 'mail'

/** Moves the focus between the mails by the arrow keys. */
const moveFocus = (event: KeyboardEvent<HTMLElement>): void => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const links = [...event.currentTarget.querySelectorAll('a')]
  const next = links[links.indexOf(event.target as HTMLAnchorElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

const Line = ({ mail, isRead }: { mail: ListedMail; isRead: boolean }) => (
  <li>
    <Link
      to={`?${MAIL}=${mail.id}`}
      className={classes.line}
      aria-current={isRead ? 'true' : undefined}
      preventScrollReset
    >
      <strong>{mail.subject}</strong>
      <span className={classes.recipient}>
        <Email>{mail.recipient}</Email>
      </span>
      <span className={classes.facts}>
        <RecentTime at={mail.createdAt} />
        {mail.status === 'DEAD' && <em>{t('dead')}</em>}
      </span>
    </Link>
  </li>
)

const Mails = ({ read }: { read: string | null }) => {
  const query = useMails(t('failed'))
  const { data: mails } = query
  if (!mails) return <Pending query={query} failed={t('failed')} loading={t('loading')} />
  if (mails.length === 0) return <EmptyState title={t('empty')} text={t('empty.text')} />
  return (
    <ul className={classes.mails} onKeyDown={moveFocus}>
      {mails.map((mail) => (
        <Line key={mail.id} mail={mail} isRead={mail.id === read} />
      ))}
    </ul>
  )
}

const texts = {
  SUPER_ADMIN: 'text',
  AUDITOR: 'text.auditor',
  admin: 'text.admin',
  client: 'text.admin',
} as const satisfies Record<SessionUser['role'], string>

const Screen = ({ user }: { user: SessionUser }) => {
  const [parameters] = useSearchParams()
  const read = parameters.get(MAIL)
  return (
    <StaffPage user={user} page="mailbox" text={t(texts[user.role])}>
      <div className={classes.box} data-reads={read !== null}>
        <nav className={classes.list} aria-label={t('list')}>
          <Mails read={read} />
        </nav>
        <section className={classes.pane} aria-label={t('pane')}>
          {read === null ? (
            <p className={classes.choose}>{t('choose')}</p>
          ) : (
            <ReadingPane key={read} id={read} />
          )}
        </section>
      </div>
    </StaffPage>
  )
}

export const meta = () => [{ title: titleOf('mailbox') }]

/** The mails of a sandbox, for staff (docs/product.md 3.23). Live mode has none. */
export default function Mailbox() {
  const user = useSessionUser()
  if (configuration().poolMode !== 'sandbox') return <Navigate to="/" replace />
  // Null between a logout and the guard's redirect.
  return user ? <Screen user={user} /> : null
}
