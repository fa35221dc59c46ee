import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { type ShownBorrower, useBorrowers } from '../../api/borrowers.ts'
import { messageOf } from '../../api/http/errors.ts'
import { configuration } from '../../configuration.ts'
import { t as list } from '../../i18n/loanList.ts'
import { named, t } from '../../i18n/loans.ts'
import { dialogOnDemand } from '../../loading/onDemand.tsx'
import { StaffPage } from '../../panels/staffPage/StaffPage.tsx'
import { type SessionUser, useMayWrite, useSessionUser } from '../../session/store.ts'
import { Tag } from '../../tables/cells.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LoadingRows } from '../../ui/LoadingRows.tsx'
import { Money } from '../../ui/Money.tsx'
import classes from './OneLoan.module.css'

const BorrowerDialog = dialogOnDemand(
  async () => (await import('../../panels/loans/BorrowerDialog.tsx')).BorrowerDialog,
)

const Line = ({ borrower }: { readonly borrower: ShownBorrower }) => {
  const { id, name, country, kind, relation, grade, outstanding, loans } = borrower
  return (
    <li className={classes.line}>
      <div>
        <h3>
          <Link to={`/admin/borrowers/${id}`}>{name}</Link>
          <Tag tone="blue">{t('gradeOf', { grade })}</Tag>
          {relation !== 'none' && <Tag tone="purple">{named('relation', relation)}</Tag>}
        </h3>
        <p className={classes.muted}>
          <span>{named('kind', kind)}</span>
          <span>{country}</span>
          <span>{t('loans', { count: loans })}</span>
          <span>
            {list('outstanding')} <Money dollars={outstanding} />
          </span>
        </p>
      </div>
    </li>
  )
}

const List = () => {
  const { data: borrowers, error, refetch, isFetching } = useBorrowers(t('borrowers.failed'))
  if (error && !borrowers)
    return (
      <ErrorState
        message={messageOf(error, t('borrowers.failed'))}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    )
  if (!borrowers) return <LoadingRows label={t('borrowers.loading')} />
  return (
    <div className={classes.card}>
      {borrowers.length === 0 && (
        <EmptyState title={t('borrowers.empty')} text={t('borrowers.empty.text')} />
      )}
      <ul className={classes.lines} aria-label={t('borrowers')}>
        {borrowers.map((borrower) => (
          <Line key={borrower.id} borrower={borrower} />
        ))}
      </ul>
    </div>
  )
}

const Screen = ({ user }: { readonly user: SessionUser }) => {
  const [naming, setNaming] = useState<boolean | null>(null)
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  return (
    <StaffPage
      user={user}
      title={t('borrowers')}
      heading={t('borrowers.heading')}
      text={t('borrowers.text')}
    >
      <nav className={classes.trail} aria-label={t('trail')} data-print="none">
        <Link to="/admin?tab=loans">{t('back')}</Link>
        {mayWrite && (
          <Button variant="default" size="sm" ml="auto" onClick={() => setNaming(true)}>
            {t('borrower.title')}
          </Button>
        )}
      </nav>
      <List />
      {naming !== null && (
        <BorrowerDialog
          opened={naming}
          onClose={() => setNaming(false)}
          onDone={(id) => void navigate(`/admin/borrowers/${id}`)}
        />
      )}
    </StaffPage>
  )
}

export const meta = () => [{ title: `${t('borrowers')} · ${configuration().productName}` }]

/** The people and companies that the pool lends to, for staff (docs/product.md 3.37). */
export default function Borrowers() {
  const user = useSessionUser()
  // Null between a logout and the guard's redirect.
  return user ? <Screen user={user} /> : null
}
