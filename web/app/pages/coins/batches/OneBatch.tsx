import { Button } from '@mantine/core'
import { formatDollars } from '@pool/contract/base/money'
import { networks } from '@pool/contract/base/networks'
import { Link, useParams } from 'react-router'
import { type ShownBatch, useBatch, useBatchFile } from '../../../api/coins/batches.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { configuration } from '../../../configuration.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { t } from '../../../i18n/batches.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { Facts } from '../../../panels/batches/Facts.tsx'
import { LoanState } from '../../../panels/loans/LoanState.tsx'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { type SessionUser, useMayWrite, useSessionUser } from '../../../session/store.ts'
import { ChainTransaction } from '../../../ui/ChainTransaction.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { saveFile } from '../../../ui/saveFile.ts'
import { toast } from '../../../ui/toasts.ts'
import classes from './Batches.module.css'
import { BatchState } from './BatchState.tsx'

const ApproveDialog = dialogOnDemand(
  async () => (await import('./ApproveDialog.tsx')).ApproveDialog,
)
const SignedDialog = dialogOnDemand(async () => (await import('./SignedDialog.tsx')).SignedDialog)
const GiveUpDialog = dialogOnDemand(async () => (await import('./GiveUpDialog.tsx')).GiveUpDialog)

type PayeeProps = { readonly payout: ShownBatch['payouts'][number] }

/** The payee: an investor, a borrower, or the pool itself. */
const Payee = ({ payout: { withdrawalId, loanId, userEmail, borrower } }: PayeeProps) => {
  if (loanId !== null)
    return <Link to={`/admin/loans/${loanId}`}>{t('loan', { borrower: borrower ?? '' })}</Link>
  return withdrawalId === null ? t('own') : (userEmail ?? t('withdrawal'))
}

const Payouts = ({ batch: { payouts, coin, network } }: { readonly batch: ShownBatch }) => (
  <ol className={classes.lines} aria-label={t('payments')}>
    {payouts.map((payout, at) => {
      const { withdrawalId, loanId, address, amount, dollars, status, evidence } = payout
      return (
        // The order of the file never changes.
        <li key={withdrawalId ?? loanId ?? at} className={classes.line}>
          <h3>
            {amount} {coin}
            {dollars !== null && <span className={classes.muted}>{formatDollars(dollars)}</span>}
            {status !== null &&
              (loanId === null ? <StatusBadge status={status} /> : <LoanState status={status} />)}
          </h3>
          <p className={classes.muted}>
            <span>
              <Payee payout={payout} />
            </span>
            <span>
              {t('to')} <span className={classes.address}>{address}</span>
            </span>
            <span>
              {evidence === null ? (
                t('unseen')
              ) : (
                <>
                  {t('seen')} <ChainTransaction network={network} id={evidence} />
                </>
              )}
            </span>
          </p>
        </li>
      )
    })}
  </ol>
)

const History = ({ batch }: { readonly batch: ShownBatch }) => {
  const { sentAt, sentBy } = batch
  const { madeAt, madeBy, approvedAt, approvedBy, givenUpAt, givenUpBy, completedAt } = batch
  const steps = [
    { at: madeAt, words: t('made', { name: madeBy ?? t('somebody') }) },
    { at: approvedAt, words: t('approved', { name: approvedBy ?? t('somebody') }) },
    { at: sentAt, words: t('sent', { name: sentBy ?? t('somebody') }) },
    { at: completedAt, words: t('completed') },
    { at: givenUpAt, words: t('givenUp', { name: givenUpBy ?? t('somebody') }) },
  ].filter(({ at }) => at !== null)
  return (
    <ul className={classes.lines} aria-label={t('history')}>
      {steps.map(({ at, words }) => (
        <li key={words} className={classes.step}>
          <span>{words}</span> <DateTime at={at} />
        </li>
      ))}
      {batch.reason !== null && (
        <li className={classes.step}>
          <q>{batch.reason}</q>
        </li>
      )}
    </ul>
  )
}

const Actions = ({ batch }: { readonly batch: ShownBatch }) => {
  const approving = useSubject<true>()
  const givingUp = useSubject<true>()
  const mayWrite = useMayWrite()
  const ownId = useSessionUser()?.id
  const file = useBatchFile(t('download.failed'))
  const { id, kind, network, state, format, madeById, sentAt, payouts } = batch
  const giving = useSubject<true>()
  const download = () => {
    if (file.isPending) return
    file.mutate(id, {
      onSuccess: ({ name, text }) => {
        saveFile(new Blob([text], { type: 'application/octet-stream' }), name)
        toast({ message: t('download.done') })
      },
      onError: (error) =>
        toast({ message: messageOf(error, t('download.failed')), tone: 'bad', isUrgent: true }),
    })
  }
  const isOpen = state === 'WAITING' || state === 'READY'
  const isRest = state === 'SEEN' && payouts.some(({ evidence }) => evidence === null)
  const isEvm = networks.find(({ name }) => name === network)?.family === 'ethereum'
  const isTakenBack = format === 'PSBT' || (isEvm && kind === 'PAYOUT')
  // The same transactions again bring those that the node did not take.
  const isRepeat = state === 'SEEN' && format === 'CSV' && sentAt !== null
  // A CSV that is on its way pays a second time what it paid.
  const isGivenOut = state === 'READY' || (state === 'SEEN' && format !== 'CSV')
  return (
    <div className={classes.actions}>
      {isGivenOut && (
        <Button aria-busy={file.isPending} onClick={download}>
          {t(file.isPending ? 'download.busy' : 'download')}
        </Button>
      )}
      {mayWrite && state === 'WAITING' && madeById !== ownId && (
        <Button onClick={() => approving.open(true)}>{t('approve')}</Button>
      )}
      {mayWrite && (state === 'READY' || isRepeat) && isTakenBack && (
        <Button variant="default" onClick={() => giving.open(true)}>
          {t('signed')}
        </Button>
      )}
      {mayWrite && (isOpen || isRest) && (
        <Button variant="subtle" color="red" onClick={() => givingUp.open(true)}>
          {t(isRest ? 'giveUp.rest' : 'giveUp')}
        </Button>
      )}
      {mayWrite && state === 'READY' && !isTakenBack && <p>{t('signed.notTaken')}</p>}
      {giving.row && <SignedDialog batch={batch} opened={giving.opened} onClose={giving.close} />}
      {approving.row && (
        <ApproveDialog batch={batch} opened={approving.opened} onClose={approving.close} />
      )}
      {givingUp.row && (
        <GiveUpDialog batch={batch} opened={givingUp.opened} onClose={givingUp.close} />
      )}
    </div>
  )
}

const Shown = ({ batch }: { readonly batch: ShownBatch }) => {
  const { state, format, network, coin, total, digest, isAlive } = batch
  return (
    <>
      <section className={classes.head} aria-label={t('facts')}>
        <h2>
          {total} {coin} <BatchState state={state} />
        </h2>
        <p>{state && t(`text.${state}`)}</p>
        {state === 'SEEN' && batch.payouts.some(({ evidence }) => evidence === null) && (
          <p className={classes.warning}>{t('rest')}</p>
        )}
        {isAlive && <p className={classes.warning}>{t('alive')}</p>}
        {format === 'CSV' && state !== 'GIVEN_UP' && (
          <p className={classes.warning}>{t('twice')}</p>
        )}
        <Actions batch={batch} />
        <Facts of={batch}>
          <div>
            <dt>{network}</dt>
            <dd>{t(`format.${format ?? 'CSV'}`)}</dd>
          </div>
          <div>
            <dt>{t('digest')}</dt>
            <dd className={classes.address}>{digest}</dd>
          </div>
        </Facts>
      </section>
      <section aria-labelledby="payments" className={classes.section}>
        <h2 id="payments">{t('payments')}</h2>
        <div className={classes.card}>
          <Payouts batch={batch} />
        </div>
      </section>
      <section aria-labelledby="history" className={classes.section}>
        <h2 id="history">{t('history')}</h2>
        <div className={classes.card}>
          <History batch={batch} />
        </div>
      </section>
    </>
  )
}

const Content = ({ id }: { readonly id: string }) => {
  const query = useBatch(id, t('one.failed'))
  const { data: batch } = query
  return batch ? (
    <Shown batch={batch} />
  ) : (
    <Pending query={query} failed={t('one.failed')} loading={t('loading')} />
  )
}

const Screen = ({ user, id }: { readonly user: SessionUser; readonly id: string }) => (
  <StaffPage user={user} page="batches" title={t('title')}>
    <Link to="/admin/batches" className={classes.back}>
      {t('back')}
    </Link>
    <Content id={id} />
  </StaffPage>
)

export const meta = () => [{ title: `${t('title')} · ${configuration().productName}` }]

/** One batch: state, file, people, and what the network shows (docs/product.md 3.36). */
export default function OneBatch() {
  const user = useSessionUser()
  const { id = '' } = useParams()
  // Null between a logout and the guard's redirect.
  return user ? <Screen user={user} id={id} /> : null
}
