import { IconFlag } from '@tabler/icons-react'
import { memo } from 'react'
import type { TransactionRow } from '../../api/transactions.ts'
import { capitalized } from '../../i18n/format.ts'
import { statusName, typeName, typeTone } from '../../i18n/named.ts'
import { t } from '../../i18n/queue.ts'
import { useMayWrite } from '../../session/store.ts'
import { Tag } from '../../tables/cells.tsx'
import { Money } from '../../ui/Money.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { amountOf, ownerOf } from './decided.tsx'
import classes from './Queue.module.css'
import { isOpen } from './requests.ts'
import { lineId } from './useQueue.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The age of a request in its largest unit: '3 h'. */
const ageOf = (at: Date | null, now: Date): string => {
  const age = Math.max(0, now.getTime() - (at ?? now).getTime())
  if (age < HOUR) return t('age.minutes', { count: Math.floor(age / MINUTE) })
  return age < DAY
    ? t('age.hours', { count: Math.floor(age / HOUR) })
    : t('age.days', { count: Math.floor(age / DAY) })
}

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

type Props = {
  readonly request: TransactionRow
  readonly now: Date
  readonly isCurrent: boolean
  /** The one line that the Tab key reaches. */
  readonly isStop: boolean
  readonly isReady: boolean
  readonly isSelected: boolean
  readonly onOpen: (request: TransactionRow) => void
  readonly onSelect: (id: string) => void
}

/** One request on one line, with its outcome once it is decided. */
const Line = ({ request, now, isCurrent, isStop, isReady, isSelected, ...on }: Props) => {
  const { id, type, amount, networkName, payee, approvals, approvalsNeeded, status, flags } =
    request
  const age = ageOf(request.createdAt, now)
  const owner = ownerOf(request)
  const [name, domain] = owner.split(/(?=@)/)
  const kind = capitalized(typeName(type))
  const line = t('open', { type: kind, amount: amountOf(request), owner, age })
  const mayWrite = useMayWrite()
  const stop = { tabIndex: isStop ? 0 : -1 }
  return (
    <li className={classes.line} data-current={isCurrent || undefined} data-done={!isOpen(request)}>
      {mayWrite ? (
        <label className={classes.check}>
          <input
            type="checkbox"
            {...stop}
            aria-label={t('select', { amount: amountOf(request), owner })}
            checked={isSelected}
            disabled={!isReady}
            onChange={() => on.onSelect(id)}
          />
        </label>
      ) : (
        <span className={classes.check} />
      )}
      <button
        type="button"
        id={lineId(id)}
        {...stop}
        className={classes.open}
        aria-current={isCurrent || undefined}
        aria-label={flags.length > 0 ? t('open.flagged', { line, flags: namesOf(flags) }) : line}
        onClick={() => on.onOpen(request)}
      >
        <span className={classes.age}>{age}</span>
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
        {isOpen(request) ? <Flags flags={flags} /> : <StatusBadge status={status} />}
        <span className={classes.amount} data-type={type}>
          <Money dollars={amount} />
        </span>
        <span className={classes.hidden}>{isOpen(request) ? '' : statusName(status)}</span>
      </button>
    </li>
  )
}

export const QueueLine = memo(Line)
