import { Button } from '@mantine/core'
import { type RoleType, roleTypes } from '@pool/contract/accounts/users'
import { Link } from 'react-router'
import { type Proposal, useProposalStep, useProposals } from '../../../api/agreements/proposals.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { t as sentence } from '../../../i18n/losses.ts'
import { t } from '../../../i18n/people.ts'
import { oneProposal } from '../../../i18n/proposals.ts'
import { onDemand } from '../../../loading/onDemand.tsx'
import { useMayWrite, useSessionUser } from '../../../session/store.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Email } from '../../../ui/Email.tsx'
import { toast } from '../../../ui/toasts.ts'
import classes from './OpenProposals.module.css'

const ConfirmedRepayments = onDemand(
  async () => (await import('../../../panels/loans/ConfirmedRepayments.tsx')).ConfirmedRepayments,
)

/** A role in the reader's words. */
export const roleName = (role: string): string => {
  const known = roleTypes.find((type: RoleType) => type === role)
  return known ? t(`role.${known}`) : role
}

/** A proposal in the reader's words. */
export const nameOf = ({ kind, facts }: Pick<Proposal, 'kind' | 'facts'>): string =>
  oneProposal(kind, (fact) => {
    const value = String(facts[fact])
    if (fact === 'role') return roleName(value)
    if (fact === 'source' && (value === 'seen' || value === 'typed')) return t(`capital.${value}`)
    return fact === 'state' && (value === 'open' || value === 'closed') ? t(`plan.${value}`) : value
  })

const wayToDecline = ({ restsUntil, linkUntil }: Proposal, isOwn: boolean) => {
  if (restsUntil !== null) return 'stop'
  return isOwn || linkUntil !== null ? 'withdraw' : 'reject'
}

type Decide = ReturnType<typeof useProposalStep>
type LineProps = {
  readonly proposal: Proposal
  readonly isNamed: boolean
  readonly decide: Decide
}

const Line = ({ proposal, isNamed, decide }: LineProps) => {
  const mayWrite = useMayWrite()
  const isOwn = useSessionUser()?.id === proposal.askedById
  const name = `${nameOf(proposal)}, ${proposal.about}`
  const isApproved = proposal.restsUntil !== null || proposal.linkUntil !== null
  const declining = wayToDecline(proposal, isOwn)
  const { variables, error } = decide
  const failure = variables && 'id' in variables && variables.id === proposal.id ? error : null
  const take = (step: 'approve' | 'decline') =>
    decide.mutate(
      { step, id: proposal.id },
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
        <strong>{nameOf(proposal)}</strong>
        {isNamed && proposal.userId && (
          <Link to={`/admin/users/${proposal.userId}`}>
            <Email>{proposal.about}</Email>
          </Link>
        )}
        {proposal.userId === null && (
          <span>
            <Email>{proposal.about}</Email>
          </span>
        )}
        <p>{proposal.reason}</p>
        <p className={classes.by}>
          {t('changes.by', { name: proposal.askedBy })} <DateTime at={proposal.askedAt} />
        </p>
        {isApproved && (
          <p className={classes.by}>
            {t(proposal.restsUntil ? 'changes.rests' : 'changes.mailed')}{' '}
            <DateTime at={proposal.restsUntil ?? proposal.linkUntil} />
          </p>
        )}
        {proposal.kind === 'WITHDRAW_CAPITAL' && (
          <details>
            <summary>{sentence('take.list')}</summary>
            <ConfirmedRepayments facts={proposal.facts} />
          </details>
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

/** Proposals that wait for a second super admin or rest: about one user, or all. */
export const OpenProposals = ({ userId }: { userId?: string }) => {
  const { data: proposals = [] } = useProposals(userId)
  // Outlives the rows, so that the outcome is said.
  const decide = useProposalStep(t('changes.failed'))
  if (proposals.length === 0) return null
  return (
    <section className={classes.changes} aria-label={t('changes')}>
      <strong>{t('changes')}</strong>
      <ul>
        {proposals.map((proposal) => (
          <Line
            key={proposal.id}
            proposal={proposal}
            isNamed={userId === undefined}
            decide={decide}
          />
        ))}
      </ul>
    </section>
  )
}
