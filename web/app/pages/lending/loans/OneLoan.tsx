import { Button } from '@mantine/core'
import { type RefObject, useRef } from 'react'
import { Link, useParams } from 'react-router'
import { isNoLoan, type ShownLoan, useLoan } from '../../../api/lending/loans.ts'
import { configuration } from '../../../configuration.ts'
import { t as list } from '../../../i18n/loanList.ts'
import { t as onRecord } from '../../../i18n/loanRecords.ts'
import { named, t } from '../../../i18n/loans.ts'
import { oneProposal } from '../../../i18n/proposals.ts'
import { useArrivalFocus } from '../../../layout/useArrivalFocus.ts'
import { Day } from '../../../panels/loans/Day.tsx'
import { LoanState } from '../../../panels/loans/LoanState.tsx'
import { Fact, LoanTerms, wasPaidOut } from '../../../panels/loans/LoanTerms.tsx'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { type SessionUser, useMayWrite, useSessionUser } from '../../../session/store.ts'
import { Tag } from '../../../tables/cells.tsx'
import { ChainTransaction } from '../../../ui/ChainTransaction.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Email } from '../../../ui/Email.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { Actions } from './Actions.tsx'
import { Collateral } from './Collateral.tsx'
import { Documents } from './Documents.tsx'
import classes from './OneLoan.module.css'
import { Repayments } from './Repayments.tsx'
import { Schedule } from './Schedule.tsx'
import { AllNewTerms, Default, Refinancing, termsInForce } from './Terms.tsx'
import { Updates } from './Updates.tsx'
import { useOffers, useWaitingAbout } from './useOffers.ts'
import { useTrail } from './useTrail.ts'

const Waits = ({ id }: { readonly id: string }) =>
  useWaitingAbout(id).map(({ id: proposal, kind, facts, askedBy, askedAt }) => (
    <div key={proposal} className={classes.waits} role="status">
      <strong>{t('waits')}</strong>
      <p>{oneProposal(kind, (fact) => String(facts[fact]))}</p>
      <p className={classes.muted}>
        <span>
          <Email>{askedBy}</Email>
        </span>
        <DateTime at={askedAt} />
        <Link to="/admin">{t('waits.queue')}</Link>
      </p>
    </div>
  ))

/** The debt of today. A loan has one once it is paid out. */
const Standing = ({ loan }: Pick<ShownLoan, 'loan'>) => {
  const { outstanding, daysPastDue, overdue, nextDueOn, nextDue, writtenOff, recovered } = loan
  if (loan.status === 'WRITTEN_OFF')
    return (
      <>
        <Fact name={t('writtenOff')}>
          <Money dollars={writtenOff} />
        </Fact>
        <Fact name={t('recovered')}>
          <Money dollars={recovered} />
        </Fact>
      </>
    )
  return (
    <>
      <Fact name={list('outstanding')}>
        <Money dollars={outstanding} />
      </Fact>
      <Fact name={list('pastDue')}>
        {list('days', { count: daysPastDue })}
        {daysPastDue > 0 && (
          <>
            {' · '}
            <Money dollars={overdue} />
          </>
        )}
      </Fact>
      {nextDueOn !== null && (
        <Fact name={list('nextDue')}>
          <Day on={nextDueOn} /> · <Money dollars={nextDue} />
        </Fact>
      )}
    </>
  )
}

/** The age of the newest update, and that a late loan is without one for long. */
const LastUpdate = ({ loan: { lastUpdateAt, isSilent } }: Pick<ShownLoan, 'loan'>) => (
  <p className={isSilent ? classes.warning : classes.evidence}>
    {onRecord('update.last')}:{' '}
    {lastUpdateAt ? <RelativeTime at={lastUpdateAt} /> : onRecord('update.never')}
    {isSilent && ` · ${onRecord('update.silent')}`}
  </p>
)

const History = ({ events }: Pick<ShownLoan, 'events'>) => (
  <ol className={classes.lines} aria-label={t('history')}>
    {events.map(({ what, at, by, amount }, index) => (
      // Events never change their order.
      <li key={index} className={classes.step}>
        <strong>{named('event', what)}</strong>
        {amount !== null && <Money dollars={amount} />}
        <DateTime at={at} />
        {by.map((email) => (
          <span key={email} className={classes.by}>
            <Email>{email}</Email>
          </span>
        ))}
      </li>
    ))}
  </ol>
)

type ShownProps = {
  readonly story: ShownLoan
  /** Takes the present step, for the key of the page. */
  readonly press: RefObject<(() => void) | null>
}

const Shown = ({ story, press }: ShownProps) => {
  const { loan, lines, events, evidence, networkName } = story
  const { id, borrowerId, borrower, borrowerAccounts, relation, status, outstanding } = loan
  const isOwn = borrowerAccounts.includes(useSessionUser()?.id ?? '')
  const heading = useArrivalFocus<HTMLHeadingElement>(true)
  return (
    <>
      <section className={classes.head} aria-labelledby="loan">
        <h2 id="loan" ref={heading} tabIndex={-1}>
          <Link to={`/admin/borrowers/${borrowerId}`}>{borrower}</Link>
          <LoanState status={status} />
          {relation !== 'none' && <Tag tone="purple">{named('relation', relation)}</Tag>}
        </h2>
        <Waits id={id} />
        {story.closedFor !== null && (
          <p className={classes.muted}>
            {t('closedFor')} <q>{story.closedFor}</q>
          </p>
        )}
        <Actions story={story} offers={useOffers(story)} press={press} />
        <LoanTerms {...termsInForce(story)}>
          {wasPaidOut(status) && <Standing loan={loan} />}
        </LoanTerms>
        {loan.sending && (
          <p className={classes.evidence}>
            {t('sending', { network: loan.sending.networkName })}{' '}
            <span className={classes.code}>{loan.sending.address}</span>
            {loan.sending.batchId && (
              <>
                {' · '}
                <Link to={`/admin/batches/${loan.sending.batchId}`}>{t('sending.batch')}</Link>
              </>
            )}
          </p>
        )}
        {evidence !== null && networkName !== null && (
          <p className={classes.evidence}>
            {t('evidence', { network: networkName })}{' '}
            <ChainTransaction network={networkName} id={evidence} className={classes.code ?? ''} />
          </p>
        )}
        <Refinancing story={story} />
        <LastUpdate loan={loan} />
      </section>
      <Default story={story} />
      <Updates loanId={id} updates={story.updates} isOwn={isOwn} />
      <section aria-labelledby="repayments" className={classes.section}>
        <h2 id="repayments">{t('repayments')}</h2>
        <div className={classes.card}>
          <Repayments story={story} />
        </div>
      </section>
      <div className={classes.section}>
        <h2 id="schedule">{t(wasPaidOut(status) ? 'lines' : 'lines.planned')}</h2>
        <div className={`${classes.card} ${classes.schedule}`}>
          <Schedule labelledBy="schedule" lines={lines} isRunning={Boolean(outstanding)} />
        </div>
      </div>
      <AllNewTerms story={story} />
      <Collateral loanId={id} collateral={story.collateral} isOwn={isOwn} />
      <Documents of={{ kind: 'loan', id }} documents={story.documents} isOwn={isOwn} />
      <section aria-labelledby="history" className={classes.section}>
        <h2 id="history">{t('history')}</h2>
        <div className={classes.card}>
          <History events={events} />
        </div>
      </section>
    </>
  )
}

type ContentProps = Pick<ShownProps, 'press'> & { readonly id: string }

const Content = ({ id, press }: ContentProps) => {
  const query = useLoan(id, t('failed'))
  const { data: story, error } = query
  if (story) return <Shown story={story} press={press} />
  if (isNoLoan(error)) return <EmptyState title={t('unknown')} text={t('unknown.text')} />
  return <Pending query={query} failed={t('failed')} loading={t('loading')} />
}

const Screen = ({ user, id }: { readonly user: SessionUser; readonly id: string }) => {
  const trail = useTrail(id)
  const mayWrite = useMayWrite()
  const press = useRef<(() => void) | null>(null)
  const shortcuts = [
    { key: 'j', label: t('key.next'), run: trail.goOn },
    { key: 'k', label: t('key.previous'), run: trail.goBack },
    ...(mayWrite ? [{ key: 'a', label: t('key.act'), run: () => press.current?.() }] : []),
  ]
  return (
    <StaffPage user={user} page="loans" title={t('title')} shortcuts={shortcuts}>
      <nav className={classes.trail} aria-label={t('trail')} data-print="none">
        <Link to={trail.back}>{t('back')}</Link>
        {trail.place > 0 && (
          <>
            <span>{t('place', { place: trail.place, total: trail.total })}</span>
            <Button
              size="compact-sm"
              variant="default"
              aria-keyshortcuts="k"
              disabled={!trail.canGoBack}
              onClick={trail.goBack}
            >
              {t('previous')} <kbd aria-hidden>K</kbd>
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              aria-keyshortcuts="j"
              disabled={!trail.canGoOn}
              onClick={trail.goOn}
            >
              {t('next')} <kbd aria-hidden>J</kbd>
            </Button>
          </>
        )}
      </nav>
      <Content key={id} id={id} press={press} />
    </StaffPage>
  )
}

export const meta = () => [{ title: `${t('title')} · ${configuration().productName}` }]

/** One loan: terms, schedule, repayments and what happened to it (docs/product.md 3.37). */
export default function OneLoan() {
  const user = useSessionUser()
  const { id = '' } = useParams()
  // Null between a logout and the guard's redirect.
  return user ? <Screen user={user} id={id} /> : null
}
