import type { QueuedProposal } from '../../../api/proposals.ts'
import { t } from '../../../i18n/queue.ts'
import { Tag } from '../../../tables/cells.tsx'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { nameOf } from '../../person/OpenProposals.tsx'
import type { LineProps } from '../queue/parts.ts'
import classes from '../queue/QueueLine.module.css'
import { ageOf, QueueLine } from '../queue/QueueLine.tsx'

/** One proposal on one line, with its outcome once it is decided. */
export const ProposalLine = ({ subject: proposal, now, ...line }: LineProps<QueuedProposal>) => {
  const { id, about, status, createdAt } = proposal
  const age = ageOf(createdAt, now)
  const name = nameOf(proposal)
  const isDone = status !== 'PENDING'
  return (
    <QueueLine
      {...line}
      id={id}
      age={age}
      label={t('proposal.open', { name, about, age })}
      selectLabel={t('proposal.select', { name, about })}
      isDone={isDone}
    >
      <Tag tone="purple">{t('proposal')}</Tag>
      <span className={`${classes.owner} ${classes.words}`} title={`${name}, ${about}`}>
        {name} · {about}
      </span>
      {isDone && <StatusBadge status={status} />}
    </QueueLine>
  )
}
