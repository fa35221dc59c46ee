import { isOfLoans, type QueuedProposal } from '../../../api/agreements/proposals.ts'
import { t } from '../../../i18n/queue.ts'
import { Tag } from '../../../tables/cells.tsx'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { nameOf } from '../../accounts/person/OpenProposals.tsx'
import type { LineProps } from '../queue/parts.ts'
import classes from '../queue/QueueLine.module.css'
import { ageOf, QueueLine } from '../queue/QueueLine.tsx'

/** One proposal on one line, with its outcome once it is decided. */
export const ProposalLine = ({ subject: proposal, now, ...line }: LineProps<QueuedProposal>) => {
  const { id, about, kind, status, createdAt } = proposal
  const age = ageOf(createdAt, now)
  const name = nameOf(proposal)
  const isDone = status !== 'PENDING'
  // The words about a loan name its borrower.
  const whole = isOfLoans(kind) ? name : `${name}, ${about}`
  return (
    <QueueLine
      {...line}
      id={id}
      age={age}
      label={t('proposal.open', { whole, age })}
      selectLabel={t('proposal.select', { whole })}
      isDone={isDone}
    >
      <Tag tone="purple">{t('proposal')}</Tag>
      <span className={`${classes.owner} ${classes.words}`} title={whole}>
        {isOfLoans(kind) ? name : `${name} · ${about}`}
      </span>
      {isDone && <StatusBadge status={status} />}
    </QueueLine>
  )
}
