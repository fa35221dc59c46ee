import type { QueuedProposal } from '../../api/agreements/proposals.ts'
import type { TransactionRow } from '../../api/requests/transactions.ts'
import { onDemand } from '../../loading/onDemand.tsx'
import type { QueueParts } from './queue/parts.ts'
import lineClasses from './queue/QueueLine.module.css'
import { requestParts } from './requests/requestParts.ts'

const ProposalLine = onDemand(
  async () => (await import('./proposals/ProposalLine.tsx')).ProposalLine,
  // Keeps the place of its line.
  {
    waiting: () => <li className={lineClasses.line} />,
    missing: ({ NotLoaded }, failure) => (
      <li>
        <NotLoaded {...failure} />
      </li>
    ),
  },
)
const ProposalPanel = onDemand(
  async () => (await import('./proposals/ProposalPanel.tsx')).ProposalPanel,
)

/** Requests of money, and proposals. */
export type Queued = TransactionRow | QueuedProposal

const isProposal = (subject: Queued): subject is QueuedProposal => 'askedById' in subject
const isRequest = (subject: Queued): subject is TransactionRow => !isProposal(subject)

/** Each row of the queue in its own parts. Only requests are approved by several. */
export const queueParts: QueueParts<Queued> = {
  Line: ({ subject, ...rest }) =>
    isProposal(subject) ? (
      <ProposalLine subject={subject} {...rest} />
    ) : (
      <requestParts.Line subject={subject} {...rest} />
    ),
  Panel: ({ subject, ...rest }) =>
    isProposal(subject) ? (
      <ProposalPanel subject={subject} {...rest} />
    ) : (
      <requestParts.Panel subject={subject} {...rest} />
    ),
  Several: ({ subjects, leftOut, ...rest }) => (
    <requestParts.Several
      subjects={subjects.filter(isRequest)}
      leftOut={leftOut.filter(isRequest)}
      {...rest}
    />
  ),
}
