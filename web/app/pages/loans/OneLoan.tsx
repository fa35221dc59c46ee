import { Button } from '@mantine/core'
import { type RefObject, useRef, useState } from 'react'
import { Link, useParams } from 'react-router'
import { messageOf } from '../../api/http/errors.ts'
import { isNoLoan, type ShownLoan, useLoan } from '../../api/loans.ts'
import { isOfLoans } from '../../api/proposals.ts'
import { useWaiting } from '../../api/waitingWallets.ts'
import { configuration } from '../../configuration.ts'
import { t as list } from '../../i18n/loanList.ts'
import { named, t } from '../../i18n/loans.ts'
import { oneProposal } from '../../i18n/proposals.ts'
import { useArrivalFocus } from '../../layout/useArrivalFocus.ts'
import { dialogOnDemand } from '../../loading/onDemand.tsx'
import { Day } from '../../panels/loans/Day.tsx'
import { LoanState } from '../../panels/loans/LoanState.tsx'
import { Fact, LoanTerms } from '../../panels/loans/LoanTerms.tsx'
import { StaffPage } from '../../panels/staffPage/StaffPage.tsx'
import { draftedDialog } from '../../session/drafts.ts'
import { type SessionUser, useMayWrite, useSessionUser } from '../../session/store.ts'
import { Tag } from '../../tables/cells.tsx'
import { type LoanStep, loanState } from '../../tables/loans.ts'
import { ChainTransaction } from '../../ui/ChainTransaction.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Email } from '../../ui/Email.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LoadingRows } from '../../ui/LoadingRows.tsx'
import { Money } from '../../ui/Money.tsx'
import classes from './OneLoan.module.css'
import { Repayments } from './Repayments.tsx'
import { Schedule } from './Schedule.tsx'
import { useTrail } from './useTrail.ts'

const ApproveDialog = dialogOnDemand(
  async () => (await import('./ApproveDialog.tsx')).ApproveDialog,
)
const DisburseDialog = dialogOnDemand(
  async () => (await import('./DisburseDialog.tsx')).DisburseDialog,
)
const RepayDialog = dialogOnDemand(async () => (await import('./RepayDialog.tsx')).RepayDialog)

const dialogs = { approve: ApproveDialog, disburse: DisburseDialog, repay: RepayDialog } as const

/** The proposal about a loan that waits for a second person. */
const useWaitingProposal = (id: string) =>
  useWaiting().data?.find(({ kind, facts }) => isOfLoans(kind) && facts.loanId === id)

const Waits = ({ id }: { readonly id: string }) => {
  const waiting = useWaitingProposal(id)
  if (!waiting) return null
  const { kind, facts, askedBy, askedAt } = waiting
  return (
    <div className={classes.waits} role="status">
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
  )
}

/** The debt of today. A loan has one once it is paid out. */
const Standing = ({ loan }: Pick<ShownLoan, 'loan'>) => {
  const { outstanding, daysPastDue, overdue, nextDueOn, nextDue } = loan
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

const steps: readonly LoanStep[] = ['approve', 'disburse', 'repay']

/** The dialog of a step, which stays while the step changes the state of the loan. */
const useActing = (id: string) => {
  const user = useSessionUser()
  // A dialog that the last session ended in opens again.
  const [step, setStep] = useState<LoanStep | null>(() => {
    const drafted = draftedDialog(user?.id ?? '')
    return steps.find((each) => drafted === `${each} ${id}`) ?? null
  })
  const [opened, setOpened] = useState(step !== null)
  const open = (next: LoanStep) => {
    setStep(next)
    setOpened(true)
  }
  return { Dialog: step && dialogs[step], opened, open, close: () => setOpened(false) }
}

type ShownProps = {
  readonly story: ShownLoan
  /** Takes the present step, for the key of the page. */
  readonly press: RefObject<(() => void) | null>
}

const Shown = ({ story, press }: ShownProps) => {
  const { loan, lines, yearlyRate, repayments, events, isAgreed, evidence, networkName } = story
  const { id, borrowerId, borrower, relation, status, outstanding, nextDueOn } = loan
  const heading = useArrivalFocus<HTMLHeadingElement>(true)
  // A repaid loan owes interest again once a repayment of interest alone was reversed.
  const step =
    loanState(status).step ?? (status === 'REPAID' && nextDueOn !== null ? 'repay' : null)
  const waiting = useWaitingProposal(id)
  const mayWrite = useMayWrite()
  const act = mayWrite && !waiting && !isAgreed ? step : null
  const { Dialog, opened, open, close } = useActing(id)
  press.current = act && (() => open(act))
  return (
    <>
      <section className={classes.head} aria-labelledby="loan">
        <h2 id="loan" ref={heading} tabIndex={-1}>
          <Link to={`/admin/borrowers/${borrowerId}`}>{borrower}</Link>
          <LoanState status={status} />
          {relation !== 'none' && <Tag tone="purple">{named('relation', relation)}</Tag>}
        </h2>
        <Waits id={id} />
        {isAgreed && <p className={classes.warning}>{t('agreed')}</p>}
        {act && (
          <div className={classes.actions}>
            <Button aria-keyshortcuts="a" onClick={() => open(act)}>
              {t(act)} <kbd aria-hidden>A</kbd>
            </Button>
          </div>
        )}
        <LoanTerms loan={loan} yearlyRate={yearlyRate}>
          {(Boolean(outstanding) || status === 'REPAID') && <Standing loan={loan} />}
        </LoanTerms>
        {evidence !== null && networkName !== null && (
          <p className={classes.evidence}>
            {t('evidence', { network: networkName })}{' '}
            <ChainTransaction network={networkName} id={evidence} className={classes.code ?? ''} />
          </p>
        )}
      </section>
      <section aria-labelledby="repayments" className={classes.section}>
        <h2 id="repayments">{t('repayments')}</h2>
        <div className={classes.card}>
          <Repayments repayments={repayments} />
        </div>
      </section>
      <div className={classes.section}>
        <h2 id="schedule">{t(outstanding ? 'lines' : 'lines.planned')}</h2>
        <div className={`${classes.card} ${classes.schedule}`}>
          <Schedule labelledBy="schedule" lines={lines} isRunning={Boolean(outstanding)} />
        </div>
      </div>
      <section aria-labelledby="history" className={classes.section}>
        <h2 id="history">{t('history')}</h2>
        <div className={classes.card}>
          <History events={events} />
        </div>
      </section>
      {Dialog && <Dialog story={story} opened={opened} onClose={close} />}
    </>
  )
}

type ContentProps = Pick<ShownProps, 'press'> & { readonly id: string }

const Content = ({ id, press }: ContentProps) => {
  const { data: story, error, refetch, isFetching } = useLoan(id, t('failed'))
  if (story) return <Shown story={story} press={press} />
  if (!error) return <LoadingRows label={t('loading')} />
  if (isNoLoan(error)) return <EmptyState title={t('unknown')} text={t('unknown.text')} />
  return (
    <ErrorState
      message={messageOf(error, t('failed'))}
      retrying={isFetching}
      onRetry={() => void refetch()}
    />
  )
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
    <StaffPage user={user} title={t('title')} shortcuts={shortcuts}>
      <nav className={classes.trail} aria-label={t('trail')} data-print="none">
        <Link to={trail.back}>{t('back')}</Link>
        {trail.place > 0 && (
          <>
            <span>{t('place', { place: trail.place, total: trail.total })}</span>
            <Button
              size="compact-sm"
              variant="default"
              aria-keyshortcuts="k"
              disabled={trail.place === 1}
              onClick={trail.goBack}
            >
              {t('previous')} <kbd aria-hidden>K</kbd>
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              aria-keyshortcuts="j"
              disabled={trail.place === trail.total}
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
