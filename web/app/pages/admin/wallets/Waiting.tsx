import { Button } from '@mantine/core'
import { isOfStaff, type Proposal } from '../../../api/agreements/proposals.ts'
import {
  useOpenStaffProposals,
  useStaffProposalStep,
} from '../../../api/agreements/staffProposals.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { oneProposal } from '../../../i18n/proposals.ts'
import { t } from '../../../i18n/waiting.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { useMayWrite, useSessionUser } from '../../../session/store.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Email } from '../../../ui/Email.tsx'
import { toast } from '../../../ui/toasts.ts'
import classes from './Waiting.module.css'

const CompareDialog = dialogOnDemand(
  async () => (await import('./CompareDialog.tsx')).CompareDialog,
)

type LineProps = {
  readonly proposal: Proposal
  readonly mayApprove: boolean
  readonly step: ReturnType<typeof useStaffProposalStep>
  readonly onCompare: () => void
}

const Line = ({ proposal, mayApprove, step, onCompare }: LineProps) => {
  const { id, kind, facts, askedBy, askedAt, askedById, restsUntil } = proposal
  const mayWrite = useMayWrite()
  const isOwn = useSessionUser()?.id === askedById
  const name = oneProposal(kind, (fact) => String(facts[fact]))
  const declining = isOwn ? 'withdraw' : 'decline'
  const failure = step.variables?.id === id ? step.error : null
  const take = (taken: 'approve' | 'decline') =>
    step.mutate(
      { id, step: taken },
      {
        onSuccess: () => {
          // The pressed button goes with its row.
          document.querySelector('main')?.focus({ preventScroll: true })
          toast({ message: t(`${taken}.done`) })
        },
      },
    )
  return (
    <li className={classes.line}>
      <div className={classes.words}>
        <strong>{name}</strong>
        <p className={classes.by}>
          <Email>{askedBy}</Email> <DateTime at={askedAt} />
        </p>
        {restsUntil !== null && (
          <p className={classes.by}>
            {t('rests')} <DateTime at={restsUntil} />
          </p>
        )}
        {failure && <p role="alert">{messageOf(failure, t('failed'))}</p>}
      </div>
      {kind === 'ADD_WALLETS' || kind === 'ADD_KEY' ? (
        <Button
          variant={mayApprove ? 'filled' : 'default'}
          aria-label={t(mayApprove ? 'compare.named' : 'show.named', { name })}
          onClick={onCompare}
        >
          {t(mayApprove ? 'compare' : 'show')}
        </Button>
      ) : (
        mayApprove && (
          <Button
            disabled={step.isPending}
            aria-label={t('approve.named', { name })}
            onClick={() => take('approve')}
          >
            {t('approve')}
          </Button>
        )
      )}
      {mayWrite && (
        <Button
          variant="default"
          disabled={step.isPending}
          aria-label={t(`${declining}.named`, { name })}
          onClick={() => take('decline')}
        >
          {t(declining)}
        </Button>
      )}
    </li>
  )
}

/** The screen of a kind. Loans and withdrawals are decided in the queue. */
const placeOf = (kind: string) => {
  if (isOfStaff(kind)) return 'queue'
  return kind === 'SET_RATE' ? 'rates' : 'wallets'
}

type Props = {
  /** Rates, or changes of wallets. */
  readonly of: 'rates' | 'wallets'
}

/** Proposals that wait for a second member of staff. */
export const Waiting = ({ of }: Props) => {
  const { data = [] } = useOpenStaffProposals()
  const proposals = data.filter(({ kind }) => placeOf(kind) === of)
  // Outlives the rows, so that the outcome is said.
  const step = useStaffProposalStep(t('failed'))
  const comparing = useSubject<Proposal>()
  const mayWrite = useMayWrite()
  const user = useSessionUser()
  const mayApprove = ({ askedById, restsUntil }: Proposal) =>
    mayWrite && user?.id !== askedById && restsUntil === null
  return (
    <>
      {proposals.length > 0 && (
        <section className={classes.waiting} aria-label={t('waiting')}>
          <strong>{t('waiting')}</strong>
          <ul>
            {proposals.map((proposal) => (
              <Line
                key={proposal.id}
                proposal={proposal}
                mayApprove={mayApprove(proposal)}
                step={step}
                onCompare={() => comparing.open(proposal)}
              />
            ))}
          </ul>
        </section>
      )}
      {comparing.row && (
        <CompareDialog
          proposal={comparing.row}
          mayApprove={mayApprove(comparing.row)}
          step={step}
          opened={comparing.opened}
          onClose={comparing.close}
        />
      )}
    </>
  )
}
