import { useParams } from 'react-router'
import { isNobody, type ShownPerson, usePerson } from '../../../api/accounts/people.ts'
import { configuration } from '../../../configuration.ts'
import { t } from '../../../i18n/people.ts'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { type SessionUser, seesAccounts, useSessionUser } from '../../../session/store.ts'
import { Tag } from '../../../tables/cells.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { Access } from './Access.tsx'
import { Balances } from './Balances.tsx'
import { Notes } from './Notes.tsx'
import classes from './Person.module.css'
import { Investments, Timeline, Transactions } from './tables.tsx'

const Heading = ({ person }: { person: ShownPerson }) => {
  const { firstName, lastName, email, dateCreated, isSuspended, isFrozen, isClosed } = person
  const rests = person.withdrawalsRestUntil
  return (
    <header className={classes.heading}>
      <h2>{isClosed ? t('closed') : `${firstName} ${lastName}`.trim() || email}</h2>
      <p>
        <span>{email}</span>
        <span>
          {t('joined')} <DateTime at={dateCreated} />
        </span>
        {isClosed && <Tag tone="grey">{t('closed.tag')}</Tag>}
        {isSuspended && <Tag tone="red">{t('suspended')}</Tag>}
        {isFrozen && <Tag tone="blue">{t('frozen')}</Tag>}
        {rests && (
          <span>
            {t('rest')} <DateTime at={rests} />
          </span>
        )}
      </p>
    </header>
  )
}

const Parts = ({ person, reader }: { person: ShownPerson; reader: SessionUser }) => (
  <>
    <Heading person={person} />
    <Balances person={person} />
    {!person.isClosed && <Notes id={person.id} />}
    <Timeline id={person.id} />
    <Transactions id={person.id} />
    <Investments id={person.id} />
    {seesAccounts(reader) && <Access person={person} />}
  </>
)

const Content = ({ id, reader }: { id: string; reader: SessionUser }) => {
  const query = usePerson(id, t('failed'))
  const { data: person, error } = query
  if (person) return <Parts person={person} reader={reader} />
  if (isNobody(error)) return <EmptyState title={t('unknown')} text={t('unknown.text')} />
  return <Pending query={query} failed={t('failed')} loading={t('loading')} />
}

const Screen = ({ id, reader }: { id: string; reader: SessionUser }) => (
  <StaffPage user={reader} page="users" title={t('title')}>
    <div className={classes.parts}>
      <Content key={id} id={id} reader={reader} />
    </div>
  </StaffPage>
)

export const meta = () => [{ title: `${t('title')} · ${configuration().productName}` }]

/** A person's page, for staff (docs/product.md 3.28). */
export default function Person() {
  const reader = useSessionUser()
  const { id } = useParams()
  // Null between a logout and the guard's redirect.
  return reader && id ? <Screen id={id} reader={reader} /> : null
}
