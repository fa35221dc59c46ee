import { Button } from '@mantine/core'
import { useImperativeHandle } from 'react'
import {
  isOfLoans,
  isOfStaff,
  type QueuedProposal,
  useProposalStep,
} from '../../../api/agreements/proposals.ts'
import { useStaffProposalStep } from '../../../api/agreements/staffProposals.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { t as people } from '../../../i18n/people.ts'
import { t } from '../../../i18n/queue.ts'
import { useMayWrite, useSessionUser } from '../../../session/store.ts'
import { SettlingProvider, useIsSettling } from '../../../tables/held.ts'
import { useOpening } from '../../../ui/settling.ts'
import { toast } from '../../../ui/toasts.ts'
import { DecisionButton } from '../decisions/DecisionButton.tsx'
import type { PanelProps } from '../queue/parts.ts'
import classes from '../queue/QueuePanel.module.css'

/** The decisions about the open proposal. */
export const ProposalFoot = ({ subject: proposal, queue, actions }: PanelProps<QueuedProposal>) => {
  const { id, askedById, status, kind, userId } = proposal
  const ofSuperAdmins = useProposalStep(people('changes.failed'))
  const ofStaff = useStaffProposalStep(people('changes.failed'))
  const decision = isOfStaff(kind) ? ofStaff : ofSuperAdmins
  const mayWrite = useMayWrite()
  const me = useSessionUser()?.id
  const isOwn = me === askedById
  const isOwnLoan = isOfLoans(kind) && me === userId
  const isMoved = useIsSettling()
  const isOpening = useOpening()
  const isSettling = isMoved || isOpening
  const canDecide = mayWrite && status === 'PENDING' && !isOwn && !isOwnLoan
  const take = (step: 'approve' | 'decline') => {
    if (!canDecide || decision.isPending || isSettling) return
    decision.mutate(
      { step, id },
      {
        onSuccess: (outcome: unknown) => {
          const done = kind === 'PLAN' ? 'changes.approve.later' : 'changes.approve.done'
          const approved = outcome === 'rests' ? 'changes.done.rests' : done
          toast({ message: people(step === 'approve' ? approved : 'changes.reject.done') })
          queue.recordOutcome(id, step === 'approve' ? 'APPROVED' : 'REJECTED')
          queue.openNext()
        },
      },
    )
  }
  const approve = () => take('approve')
  const reject = () => take('decline')
  useImperativeHandle(actions, () => ({ approve, reject }))
  const pressed = { size: 'sm', busy: decision.isPending, disabled: !canDecide } as const
  return (
    <SettlingProvider value={isSettling}>
      <div className={classes.foot}>
        {isOwn && status === 'PENDING' && (
          <p className={classes.warning}>
            {t(isOfStaff(kind) ? 'proposal.mineOfStaff' : 'proposal.mine')}
          </p>
        )}
        {isOwnLoan && status === 'PENDING' && (
          <p className={classes.warning}>{t('proposal.ownLoan')}</p>
        )}
        {decision.error && (
          <p role="alert" className={classes.error}>
            {messageOf(decision.error, people('changes.failed'))}
          </p>
        )}
        <div className={classes.buttons}>
          {mayWrite && (
            <>
              <DecisionButton {...pressed} aria-keyshortcuts="a" onPress={approve}>
                {t('approve')}
                <kbd aria-hidden>A</kbd>
              </DecisionButton>
              <DecisionButton
                {...pressed}
                color="red"
                variant="light"
                aria-keyshortcuts="r"
                onPress={reject}
              >
                {t('reject')}
                <kbd aria-hidden>R</kbd>
              </DecisionButton>
            </>
          )}
          <Button
            variant="default"
            aria-label={t('nextRequest')}
            aria-keyshortcuts="j"
            onClick={queue.openNext}
          >
            {t('next')}
            <kbd aria-hidden>J</kbd>
          </Button>
        </div>
      </div>
    </SettlingProvider>
  )
}
