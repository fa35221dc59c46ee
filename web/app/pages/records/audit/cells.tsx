import { VisuallyHidden } from '@mantine/core'
import type { FactorKind } from '@pool/contract/accounts/factors'
import { type RoleType, roleTypes } from '@pool/contract/accounts/users'
import type { Tone } from '@pool/contract/base/tones'
import { pauseNames } from '@pool/contract/money/pauses'
import { type AuditAction, auditActions } from '@pool/contract/reports/audit'
import { auditSubjects } from '@pool/contract/reports/auditSubjects'
import { DEFAULT_DESTINATION } from '@pool/contract/requests/requests'
import { IconArrowRight } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { AuditRow, State } from '../../../api/records/audit.ts'
import { t } from '../../../i18n/audit.ts'
import { locale } from '../../../i18n/language.ts'
import { destinationName, reasonName, statusName } from '../../../i18n/named.ts'
import { anyProposal } from '../../../i18n/proposals.ts'
import { StoryLink } from '../../../panels/story/StoryLink.tsx'
import { Code, Tag } from '../../../tables/cells.tsx'
import { Money } from '../../../ui/Money.tsx'
import classes from './cells.module.css'

const isKnown = (action: string): action is AuditAction => Object.hasOwn(auditActions, action)

const Subject = ({ subjectType, subjectId }: AuditRow) => {
  const known = auditSubjects.find((subject) => subject === subjectType)
  const stopped = known === 'switch' && pauseNames.find((name) => name === subjectId)
  if (stopped) return t(`new.${stopped}`)
  const named = (
    <>
      {known ? t(`subject.${known}`) : subjectType} {subjectId && <Code text={subjectId} />}
    </>
  )
  if ((known === 'loan' || known === 'borrower') && subjectId)
    return <Link to={`/admin/${known}s/${subjectId}`}>{named}</Link>
  return subjectType === 'transaction' && subjectId ? (
    <StoryLink kind="transaction" id={subjectId}>
      {named}
    </StoryLink>
  ) : (
    named
  )
}

/** An agreement tells its kind: 'Agreement asked for: give a role'. */
const nameOf = (action: AuditAction, after: State | null): string =>
  auditActions[action].subject === null
    ? `${t(action)}: ${anyProposal(String(after?.kind))}`
    : t(action)

const namedIn = ({ action, after }: AuditRow) =>
  isKnown(action)
    ? { tone: auditActions[action].tone, text: nameOf(action, after) }
    : ({ tone: 'grey', text: action } as const)

type HappenedProps = {
  readonly entry: AuditRow
  /** The name of an event that is no action of the trail. */
  readonly named?: { readonly tone: Tone; readonly text: string } | undefined
}

/** The action and its subject. An unknown word stays as it came. */
export const Happened = ({ entry, named = namedIn(entry) }: HappenedProps) => (
  <>
    <Tag tone={named.tone}>{named.text}</Tag>
    <p className={`${classes.aside} ${classes.subject}`}>
      <Subject {...entry} />
    </p>
  </>
)

const placeOf = (source: string): string => {
  const known = (['operator', 'job'] as const).find((place) => place === source)
  return known ? t(`source.${known}`) : t('from', { source })
}

export const Who = ({ entry: { actor, source } }: { entry: AuditRow }) => (
  <>
    <p className={classes.actor}>
      {actor === 'system' ? t('actor.system') : (actor ?? t('nobody'))}
    </p>
    {source && <p className={classes.aside}>{placeOf(source)}</p>}
  </>
)

const fields = [
  'status',
  'amount',
  'interest',
  'perPerson',
  'perPool',
  'mode',
  'position',
  'hash',
  'email',
  'kind',
  'role',
  'roles',
  'alone',
  'withdrawn',
  'suspended',
  'archived',
  'paused',
  'address',
  'destinationAddress',
  'networkName',
  'evidence',
  'digest',
  'root',
  'total',
  'label',
  'codes',
  'passedOver',
  'withoutReason',
] as const

const roleName = (role: unknown): string => {
  const known = roleTypes.find((type: RoleType) => type === role)
  return known ? t(`role.${known}`) : String(role)
}

const factorNames: Readonly<Record<FactorKind, string>> = {
  TOTP: t('kind.TOTP'),
  PASSKEY: t('kind.PASSKEY'),
}

/** The kind of a proposal or of a second factor. */
const kindName = (kind: unknown): string =>
  Object.entries(factorNames).find(([known]) => known === kind)?.[1] ?? anyProposal(String(kind))

const isAmount = (field: string): boolean =>
  ['amount', 'interest', 'perPerson', 'perPool', 'total'].includes(field)

/** A value in the reader's words. */
const Value = ({ field, value }: { field: string; value: unknown }): ReactNode => {
  if (Array.isArray(value)) return value.length > 0 ? value.map(roleName).join(', ') : t('none')
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (typeof value === 'number' && isAmount(field)) return <Money dollars={value} />
  if (field === 'kind') return kindName(value)
  if (field === 'role') return roleName(value)
  if (field === 'status') return statusName(String(value))
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text === DEFAULT_DESTINATION || field === 'networkName') return destinationName(text)
  if (field === 'digest' || field === 'root') return <Code text={text} />
  return <span className={classes.code}>{text}</span>
}

const orderOf = (field: string): number => {
  const place = (fields as readonly string[]).indexOf(field)
  return place === -1 ? fields.length : place
}

/** The fields before or after, most important first. The reason is shown apart. */
const fieldsOf = (before: State | null, after: State | null): string[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .filter((field) => field !== 'reason')
    .toSorted((a, b) => orderOf(a) - orderOf(b))

const Field = ({ field, before, after }: { field: string; before: unknown; after: unknown }) => {
  const known = fields.find((each) => each === field)
  const isSame = JSON.stringify(before) === JSON.stringify(after)
  return (
    <Fragment>
      <dt>{known ? t(`field.${known}`) : field}</dt>
      <dd>
        {before !== undefined && !isSame && (
          <del className={classes.before}>
            <Value field={field} value={before} />
          </del>
        )}
        {before !== undefined && after !== undefined && !isSame && (
          <>
            <IconArrowRight size={14} className={classes.arrow} aria-hidden />
            <VisuallyHidden>{t('became')}</VisuallyHidden>
          </>
        )}
        {after !== undefined && <Value field={field} value={after} />}
      </dd>
    </Fragment>
  )
}

const reasonOf = (reason: string): string => {
  const known = (['invalidCredentials', 'suspended'] as const).find((code) => code === reason)
  return known ? t(`reason.${known}`) : reasonName(reason)
}

/** The change field by field, and its reason. */
export const Change = ({ entry: { before, after, reason } }: { entry: AuditRow }) => {
  const changed = fieldsOf(before, after)
  return (
    <>
      {changed.length > 0 && (
        <dl className={classes.change}>
          {changed.map((field) => (
            <Field key={field} field={field} before={before?.[field]} after={after?.[field]} />
          ))}
        </dl>
      )}
      {reason && <p className={classes.aside}>{t('reason', { reason: reasonOf(reason) })}</p>}
      {changed.length === 0 && !reason && <span className={classes.aside}>—</span>}
    </>
  )
}

/** The entry's place in the hash chain, and its hash. */
export const Seal = ({ entry: { position, hash } }: { entry: AuditRow }) =>
  position === null || hash === null ? (
    <span className={classes.aside}>{t('sealing')}</span>
  ) : (
    <>
      <p className={classes.place}>
        {t('seal.place', { position: position.toLocaleString(locale()) })}
      </p>
      <p className={classes.aside}>
        <Code text={hash} />
      </p>
    </>
  )
