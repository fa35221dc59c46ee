import { isOfLoans, type QueuedProposal } from '../../../api/agreements/proposals.ts'
import { t } from '../../../i18n/people.ts'
import { onDemand } from '../../../loading/onDemand.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Email } from '../../../ui/Email.tsx'
import { PersonLink } from '../../../ui/PersonLink.tsx'
import { nameOf } from '../../accounts/person/OpenProposals.tsx'
import type { PanelProps } from '../queue/parts.ts'
import { QueuePanel } from '../queue/QueuePanel.tsx'
import { ProposalFoot } from './ProposalFoot.tsx'

const ConfirmedRepayments = onDemand(
  async () => (await import('../../../panels/loans/ConfirmedRepayments.tsx')).ConfirmedRepayments,
)
const AskedLoan = onDemand(
  async () => (await import('../../../panels/loans/AskedLoan.tsx')).AskedLoan,
)

/** Kinds whose reason is a fact that their words show: a transaction, an address, a reference. */
const REASON_IS_SHOWN = [
  'DISBURSE_LOAN',
  'SEND_LOAN',
  'REPAY_LOAN',
  'IMPORT_REPAYMENTS',
  'COMPLETE_WITHDRAWAL',
]

/** The open proposal with its reason. */
export const ProposalPanel = (props: PanelProps<QueuedProposal>) => {
  const { subject: proposal, queue } = props
  const isOfLoan = isOfLoans(proposal.kind)
  return (
    <QueuePanel
      title={
        <>
          {nameOf(proposal)}
          {!isOfLoan && (
            <>
              {' · '}
              <PersonLink id={proposal.userId}>
                <Email>{proposal.about}</Email>
              </PersonLink>
            </>
          )}
        </>
      }
      onClose={queue.close}
      foot={<ProposalFoot key={proposal.id} {...props} />}
    >
      {!REASON_IS_SHOWN.includes(proposal.kind) && <p>{proposal.reason}</p>}
      <p>
        {t('changes.by', { name: proposal.askedBy })} <DateTime at={proposal.askedAt} />
      </p>
      {proposal.kind === 'WITHDRAW_CAPITAL' && <ConfirmedRepayments facts={proposal.facts} />}
      {isOfLoan && <AskedLoan facts={proposal.facts} />}
    </QueuePanel>
  )
}
