import { Button } from '@mantine/core'
import { accessChangeKinds } from '@pool/contract/accessChanges'
import { type RoleType, roleTypes } from '@pool/contract/users'
import { Link } from 'react-router'
import { type OpenChange, useAccessChange, useOpenChanges } from '../../api/accessChanges.ts'
import { messageOf } from '../../api/http/errors.ts'
import { t } from '../../i18n/people.ts'
import { useMayWrite, useSessionUser } from '../../session/store.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Email } from '../../ui/Email.tsx'
import { toast } from '../../ui/toasts.ts'
import classes from './OpenChanges.module.css'

/** A role in the reader's words. */
export const roleName = (role: string): string => {
  const known = roleTypes.find((type: RoleType) => type === role)
  return known ? t(`role.${known}`) : role
}

/** A change of access in the reader's words. */
export const changeName = ({ kind, role }: Pick<OpenChange, 'kind' | 'role'>): string => {
  const known = accessChangeKinds.find((each) => each === kind)
  return known ? t(`change.${known}`, { role: roleName(role ?? '') }) : kind
}

const wayToDecline = ({ restsUntil, linkUntil }: OpenChange, isOwn: boolean) => {
  if (restsUntil !== null) return 'stop'
  return isOwn || linkUntil !== null ? 'withdraw' : 'reject'
}

type Decide = ReturnType<typeof useAccessChange>
type LineProps = {
  readonly change: OpenChange
  readonly isNamed: boolean
  readonly decide: Decide
}

const Line = ({ change, isNamed, decide }: LineProps) => {
  const mayWrite = useMayWrite()
  const isOwn = useSessionUser()?.id === change.askedById
  const name = `${changeName(change)}, ${change.username}`
  const isApproved = change.restsUntil !== null || change.linkUntil !== null
  const declining = wayToDecline(change, isOwn)
  const { variables, error } = decide
  const failure = variables && 'id' in variables && variables.id === change.id ? error : null
  const take = (step: 'approve' | 'decline') =>
    decide.mutate(
      { step, id: change.id },
      {
        onSuccess: (outcome) => {
          // The pressed button goes with its row.
          document.querySelector('main')?.focus({ preventScroll: true })
          const approved = outcome === 'rests' ? 'changes.done.rests' : 'changes.approve.done'
          toast({ message: t(step === 'approve' ? approved : `changes.${declining}.done`) })
        },
      },
    )
  return (
    <li className={classes.line}>
      <div className={classes.words}>
        <strong>{changeName(change)}</strong>
        {isNamed && change.userId && (
          <Link to={`/admin/users/${change.userId}`}>
            <Email>{change.username}</Email>
          </Link>
        )}
        {change.userId === null && (
          <span>
            <Email>{change.username}</Email>
          </span>
        )}
        <p>{change.reason}</p>
        <p className={classes.by}>
          {t('changes.by', { name: change.askedBy })} <DateTime at={change.askedAt} />
        </p>
        {isApproved && (
          <p className={classes.by}>
            {t(change.restsUntil ? 'changes.rests' : 'changes.mailed')}{' '}
            <DateTime at={change.restsUntil ?? change.linkUntil} />
          </p>
        )}
        {failure && <p role="alert">{messageOf(failure, t('changes.failed'))}</p>}
      </div>
      {mayWrite && !isOwn && !isApproved && (
        <Button
          disabled={decide.isPending}
          aria-label={t('changes.approve.named', { name })}
          onClick={() => take('approve')}
        >
          {t('changes.approve')}
        </Button>
      )}
      {mayWrite && (
        <Button
          variant="default"
          disabled={decide.isPending}
          aria-label={t(`changes.${declining}.named`, { name })}
          onClick={() => take('decline')}
        >
          {t(`changes.${declining}`)}
        </Button>
      )}
    </li>
  )
}

/** Changes of access that wait for a second super admin or rest: of one user, or of all. */
export const OpenChanges = ({ userId }: { userId?: string }) => {
  const { data: changes = [] } = useOpenChanges(userId)
  // Outlives the rows, so that the outcome is said.
  const decide = useAccessChange(t('changes.failed'))
  if (changes.length === 0) return null
  return (
    <section className={classes.changes} aria-label={t('changes')}>
      <strong>{t('changes')}</strong>
      <ul>
        {changes.map((change) => (
          <Line key={change.id} change={change} isNamed={userId === undefined} decide={decide} />
        ))}
      </ul>
    </section>
  )
}
