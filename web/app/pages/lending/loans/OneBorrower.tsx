import { Button } from '@mantine/core'
import { MAXIMUM_PAGE } from '@pool/contract/base/lists'
import { useId, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { useListPage } from '../../../api/http/lists.ts'
import {
  isNoBorrower,
  type ShownBorrowerStory,
  useBorrower,
} from '../../../api/lending/borrowers.ts'
import { type LoanRow, loansOf } from '../../../api/lending/loanList.ts'
import { configuration } from '../../../configuration.ts'
import { t as list } from '../../../i18n/loanList.ts'
import { t as onRecord } from '../../../i18n/loanRecords.ts'
import { named, t } from '../../../i18n/loans.ts'
import { useArrivalFocus } from '../../../layout/useArrivalFocus.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { LoanState } from '../../../panels/loans/LoanState.tsx'
import facts from '../../../panels/loans/Loans.module.css'
import { Fact } from '../../../panels/loans/LoanTerms.tsx'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { draftedDialog } from '../../../session/drafts.ts'
import { type SessionUser, useMayWrite, useSessionUser } from '../../../session/store.ts'
import { Tag } from '../../../tables/cells.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Email } from '../../../ui/Email.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadingRows } from '../../../ui/LoadingRows.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { PersonLink } from '../../../ui/PersonLink.tsx'
import { offProps } from './Actions.tsx'
import { Documents } from './Documents.tsx'
import classes from './OneLoan.module.css'

const BorrowerDialog = dialogOnDemand(
  async () => (await import('../../../panels/loans/BorrowerDialog.tsx')).BorrowerDialog,
)
const LoanDialog = dialogOnDemand(
  async () => (await import('../../../panels/loans/LoanDialog.tsx')).LoanDialog,
)

const Line = ({ loan }: { readonly loan: LoanRow }) => {
  const { id, amount, status, outstanding, daysPastDue, purpose } = loan
  return (
    <li className={classes.line}>
      <div>
        <h3>
          <Link to={`/admin/loans/${id}`}>
            <Money dollars={amount} />
          </Link>
          <LoanState status={status} />
          {daysPastDue > 0 && (
            <Tag tone={daysPastDue > 30 ? 'red' : 'amber'}>
              {list('days', { count: daysPastDue })}
            </Tag>
          )}
        </h3>
        <p className={classes.muted}>
          <span>{named('purpose', purpose)}</span>
          <span>
            {list('outstanding')} <Money dollars={outstanding} />
          </span>
        </p>
      </div>
    </li>
  )
}

const Loans = ({ id }: { readonly id: string }) => {
  const asked = { query: {}, limit: MAXIMUM_PAGE }
  const { data, isError, isFetching, refetch } = useListPage(loansOf(id), asked)
  if (isError && !data)
    return (
      <ErrorState message={list('failed')} retrying={isFetching} onRetry={() => void refetch()} />
    )
  if (!data) return <LoadingRows label={list('loading')} />
  const loans = data.rows
  return (
    <div className={classes.card}>
      {loans.length === 0 && <p className={classes.none}>{t('borrower.noLoans')}</p>}
      <ul className={classes.lines} aria-label={list('title')}>
        {loans.map((loan) => (
          <Line key={loan.id} loan={loan} />
        ))}
      </ul>
    </div>
  )
}

/** Each grade with its date, reason and author, the newest first. */
const Grades = ({ grades }: Pick<ShownBorrowerStory, 'grades'>) => (
  <section aria-labelledby="grades" className={classes.section}>
    <h2 id="grades">{onRecord('grades')}</h2>
    <div className={classes.card}>
      <ol className={classes.lines} aria-label={onRecord('grades')}>
        {grades.map(({ grade, reason, by, at }, index) => (
          // Grades never change, and a new one comes first.
          <li key={grades.length - index} className={classes.line}>
            <div>
              <h3>
                {onRecord('grades.one', { grade })}
                {index === 0 && <Tag tone="blue">{onRecord('grades.now')}</Tag>}
              </h3>
              <p className={classes.said}>{reason}</p>
              <p className={classes.muted}>
                <span>
                  <Email>{by}</Email>
                </span>
                <DateTime at={at} />
              </p>
            </div>
          </li>
        ))}
      </ol>
    </div>
  </section>
)

const Shown = ({ story }: { readonly story: ShownBorrowerStory }) => {
  const { borrower, grades, documents } = story
  const { id, name, country, kind, relation, userId, userEmail, outstanding } = borrower
  const { grade, gradeReason, gradedAt } = borrower
  const heading = useArrivalFocus<HTMLHeadingElement>(true)
  const [lending, setLending] = useState<boolean | null>(null)
  const me = useSessionUser()
  const [correcting, setCorrecting] = useState<boolean | null>(
    draftedDialog(me?.id ?? '') === `correct ${id}` || null,
  )
  const why = useId()
  const isOwn = userId !== null && userId === me?.id
  const navigate = useNavigate()
  return (
    <>
      <section className={classes.head} aria-labelledby="borrower">
        <h2 id="borrower" ref={heading} tabIndex={-1}>
          {name}
          {relation !== 'none' && <Tag tone="purple">{named('relation', relation)}</Tag>}
        </h2>
        {useMayWrite() && (
          <div className={classes.actions}>
            <Button onClick={() => setLending(true)}>{t('loan.title')}</Button>
            <Button
              variant="default"
              {...offProps(isOwn ? 'own' : null, why)}
              onClick={() => !isOwn && setCorrecting(true)}
            >
              {t('correct.title')}
            </Button>
            {isOwn && (
              <span id={why} className={classes.why}>
                {t('correct.own')}
              </span>
            )}
          </div>
        )}
        <dl className={facts.facts}>
          <Fact name={t('borrower.kind')}>{named('kind', kind)}</Fact>
          <Fact name={t('country')}>{country}</Fact>
          <Fact name={list('outstanding')}>
            <Money dollars={outstanding} />
          </Fact>
          <Fact name={t('borrower.grade')}>
            {grade} · <DateTime at={gradedAt} />
          </Fact>
          <Fact name={t('borrower.gradeReason')}>{gradeReason}</Fact>
          {userEmail !== null && (
            <Fact name={t('borrower.account')}>
              <PersonLink id={userId}>
                <Email>{userEmail}</Email>
              </PersonLink>
            </Fact>
          )}
        </dl>
        <p className={classes.evidence}>
          <Link to={`/admin/audit?audit-search=${id}`}>{t('correct.history')}</Link>
        </p>
      </section>
      <section aria-labelledby="loans" className={classes.section}>
        <h2 id="loans">{list('title')}</h2>
        <Loans id={id} />
      </section>
      <Documents of={{ kind: 'borrower', id }} documents={documents} isOwn={isOwn} />
      <Grades grades={grades} />
      {correcting !== null && (
        <BorrowerDialog
          corrects={borrower}
          opened={correcting}
          onClose={() => setCorrecting(false)}
          onDone={() => setCorrecting(false)}
        />
      )}
      {lending !== null && (
        <LoanDialog
          borrowerId={id}
          opened={lending}
          onClose={() => setLending(false)}
          onDone={(loan) => void navigate(`/admin/loans/${loan}`)}
        />
      )}
    </>
  )
}

const Content = ({ id }: { readonly id: string }) => {
  const query = useBorrower(id, t('borrowers.failed'))
  const { data: story, error } = query
  if (story) return <Shown story={story} />
  if (isNoBorrower(error))
    return <EmptyState title={t('borrower.unknown')} text={t('unknown.text')} />
  return <Pending query={query} failed={t('borrowers.failed')} loading={t('borrowers.loading')} />
}

const Screen = ({ user, id }: { readonly user: SessionUser; readonly id: string }) => (
  <StaffPage user={user} page="borrowers" title={t('borrowers')}>
    <nav className={classes.trail} aria-label={t('trail')} data-print="none">
      <Link to="/admin/borrowers">{t('borrowers.back')}</Link>
    </nav>
    <Content key={id} id={id} />
  </StaffPage>
)

export const meta = () => [{ title: `${t('borrowers')} · ${configuration().productName}` }]

/** A borrower with the loans, for staff (docs/product.md 3.37). */
export default function OneBorrower() {
  const user = useSessionUser()
  const { id = '' } = useParams()
  // Null between a logout and the guard's redirect.
  return user ? <Screen user={user} id={id} /> : null
}
