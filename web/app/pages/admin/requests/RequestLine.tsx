import { VisuallyHidden } from '@mantine/core'
import { actionsFor } from '@pool/contract/requests/decisions'
import { IconFlag } from '@tabler/icons-react'
import { memo } from 'react'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { capitalized } from '../../../i18n/format.ts'
import { statusName, typeName, typeTone } from '../../../i18n/named.ts'
import { t } from '../../../i18n/queue.ts'
import { Tag } from '../../../tables/cells.tsx'
import { Money } from '../../../ui/Money.tsx'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { amountOf, ownerOf } from '../decisions/decided.tsx'
import type { LineProps } from '../queue/parts.ts'
import classes from '../queue/QueueLine.module.css'
import { ageOf, QueueLine } from '../queue/QueueLine.tsx'

const namesOf = (flags: TransactionRow['flags']): string =>
  flags.map((flag) => t(`flag.${flag}`)).join(', ')

/** The most serious flag, and the number of others. A narrow line shows the number of all. */
const Flags = ({ flags }: Pick<TransactionRow, 'flags'>) => {
  const [first, ...others] = flags
  if (first === undefined) return <span />
  return (
    <span className={classes.flag} title={namesOf(flags)}>
      <IconFlag size={14} aria-hidden />
      <span className={classes.flagName}>{t(`flag.${first}`)}</span>
      {others.length > 0 && <span className={classes.flagName}>+{others.length}</span>}
      <span className={classes.flagCount}>{flags.length}</span>
    </span>
  )
}

/** One request on one line, with its outcome once it is decided. */
const Line = ({ subject: request, now, ...line }: LineProps<TransactionRow>) => {
  const { id, type, amount, networkName, payee, approvals, approvalsNeeded, status, flags } =
    request
  const age = ageOf(request.createdAt, now)
  const owner = ownerOf(request)
  const [name, domain] = owner.split(/(?=@)/)
  const kind = capitalized(typeName(type))
  const isOpen = actionsFor(type, status).length > 0
  const label = t('open', { type: kind, amount: amountOf(request), owner, age })
  return (
    <QueueLine
      {...line}
      id={id}
      age={age}
      label={flags.length > 0 ? t('open.flagged', { line: label, flags: namesOf(flags) }) : label}
      selectLabel={t('select', { amount: amountOf(request), owner })}
      isDone={!isOpen}
    >
      <Tag tone={typeTone(type)}>{kind}</Tag>
      <span className={classes.owner} title={owner}>
        {name}
        <span className={classes.domain}>{domain}</span>
      </span>
      <span className={classes.network}>{payee?.networkName || networkName}</span>
      <span className={classes.note}>
        {approvals.length > 0 &&
          t('approvals', { given: approvals.length, needed: approvalsNeeded })}
      </span>
      {isOpen ? <Flags flags={flags} /> : <StatusBadge status={status} />}
      <span className={classes.amount} data-type={type}>
        <Money dollars={amount} />
      </span>
      {!isOpen && <VisuallyHidden>{statusName(status)}</VisuallyHidden>}
    </QueueLine>
  )
}

export const RequestLine = memo(Line)
