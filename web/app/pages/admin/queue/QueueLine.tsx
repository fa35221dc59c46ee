import type { ReactNode } from 'react'
import { t } from '../../../i18n/queue.ts'
import { useMayWrite } from '../../../session/store.ts'
import type { LineProps } from './parts.ts'
import classes from './QueueLine.module.css'
import { lineId } from './useQueue.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The age of a row in its largest unit: '3 h'. */
export const ageOf = (since: Date | null, now: Date): string => {
  const age = Math.max(0, now.getTime() - (since ?? now).getTime())
  if (age < HOUR) return t('age.minutes', { count: Math.floor(age / MINUTE) })
  return age < DAY
    ? t('age.hours', { count: Math.floor(age / HOUR) })
    : t('age.days', { count: Math.floor(age / DAY) })
}

type Props = Omit<LineProps<unknown>, 'subject' | 'now'> & {
  readonly id: string
  /** Names the row and its check box to screen readers. */
  readonly label: string
  readonly selectLabel: string
  readonly age: string
  readonly isDone: boolean
  readonly children: ReactNode
}

/** One row on one line: its check box, and a button that opens it. */
export const QueueLine = ({ id, label, selectLabel, age, isDone, children, ...line }: Props) => {
  const { isCurrent, isStop, isReady, isSelected, onOpen, onSelect } = line
  const mayWrite = useMayWrite()
  const stop = { tabIndex: isStop ? 0 : -1 }
  return (
    <li className={classes.line} data-current={isCurrent || undefined} data-done={isDone}>
      {mayWrite ? (
        <label className={classes.check}>
          <input
            type="checkbox"
            {...stop}
            aria-label={selectLabel}
            checked={isSelected}
            disabled={!isReady}
            onChange={() => onSelect(id)}
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
        aria-label={label}
        onClick={() => onOpen(id)}
      >
        <span className={classes.age}>{age}</span>
        {children}
      </button>
    </li>
  )
}
