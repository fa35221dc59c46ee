import type { QueuedProposal } from '../../../api/proposals.ts'
import { t } from '../../../i18n/people.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Email } from '../../../ui/Email.tsx'
import { PersonLink } from '../../../ui/PersonLink.tsx'
import { nameOf } from '../../person/OpenProposals.tsx'
import type { PanelProps } from '../queue/parts.ts'
import { QueuePanel } from '../queue/QueuePanel.tsx'
import { ProposalFoot } from './ProposalFoot.tsx'

/** The open proposal with its reason. */
export const ProposalPanel = (props: PanelProps<QueuedProposal>) => {
  const { subject: proposal, queue } = props
  return (
    <QueuePanel
      title={
        <>
          {nameOf(proposal)} ·{' '}
          <PersonLink id={proposal.userId}>
            <Email>{proposal.about}</Email>
          </PersonLink>
        </>
      }
      onClose={queue.close}
      foot={<ProposalFoot key={proposal.id} {...props} />}
    >
      <p>{proposal.reason}</p>
      <p>
        {t('changes.by', { name: proposal.askedBy })} <DateTime at={proposal.askedAt} />
      </p>
    </QueuePanel>
  )
}
