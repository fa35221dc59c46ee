import { cents, dollarsFromCents, formatDollars } from '@pool/contract/base/money'
import { dayAs } from '@pool/contract/lending/loanDays'
import { type TypedTerms, termsFrom } from '@pool/contract/lending/loanTerms'
import { scheduleOf } from '@pool/contract/lending/schedules'
import { yearlyRateOf } from '@pool/contract/lending/yearlyRate'
import { useDeferredValue, useMemo } from 'react'
import { t } from '../../i18n/loans.ts'
import { Money } from '../../ui/Money.tsx'
import { Day } from './Day.tsx'
import classes from './Loans.module.css'
import { Fact } from './LoanTerms.tsx'
import { rateText } from './rates.ts'

const Dollars = ({ of }: { readonly of: bigint }) => (
  <Money dollars={dollarsFromCents(cents(of))} always />
)

// Spread, because a linter rejects explicit tab stops.
const scrolls = { tabIndex: 0 }

const Lines = ({ lines }: { readonly lines: ReturnType<typeof scheduleOf> }) => (
  <section className={classes.lines} {...scrolls} aria-label={t('preview.lines')}>
    <table aria-label={t('preview.lines')}>
      <thead>
        <tr>
          <th scope="col">{t('line.dueOn')}</th>
          <th scope="col">{t('line.principal')}</th>
          <th scope="col">{t('line.interest')}</th>
          <th scope="col">{t('line.balance')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ dueOn, principal, interest, balance }) => (
          <tr key={dueOn}>
            <td>
              <Day on={dueOn} />
            </td>
            <td>
              <Dollars of={principal} />
            </td>
            <td>
              <Dollars of={interest} />
            </td>
            <td>
              <Dollars of={balance} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/**
 * The schedule and the yearly rate of typed terms, what is wrong with them, or null. Their first
 * day stands for `startsAs` of its month.
 */
export const useSchedule = (typed: TypedTerms | null, startsAs: number | null = null) => {
  // Long schedules are exact fractions, which take longer than a key.
  const shown = useDeferredValue(JSON.stringify(typed))
  return useMemo(() => {
    const read = JSON.parse(shown) as TypedTerms | null
    const terms = read && termsFrom(read)
    if (!terms || typeof terms === 'string') return terms
    const disbursedOn = dayAs(terms.disbursedOn.on, startsAs) ?? terms.disbursedOn
    const lines = scheduleOf({ ...terms, disbursedOn })
    return { lines, yearlyRate: yearlyRateOf(terms, lines) }
  }, [shown, startsAs])
}

type Props = { readonly schedule: ReturnType<typeof useSchedule> }

/** The yearly rate and all interest in one sentence, or what is wrong with the terms. */
export const ScheduleSummary = ({ schedule }: Props) => {
  if (schedule === null) return <p className={classes.muted}>{t('preview.none')}</p>
  if (typeof schedule === 'string')
    return (
      <p className={classes.problem} role="status">
        {t(`problem.${schedule}`)}
      </p>
    )
  const interest = schedule.lines.reduce((sum, line) => sum + line.interest, 0n)
  return (
    <p role="status">
      {t('preview.summary', {
        rate: rateText(schedule.yearlyRate),
        interest: formatDollars(dollarsFromCents(cents(interest))),
      })}
    </p>
  )
}

type PreviewProps = Props & {
  /** Cents of interest from before, which the first line owes too. */
  readonly carried?: bigint
}

/** The schedule of the typed terms, as the server will store it. */
export const SchedulePreview = ({ schedule, carried = 0n }: PreviewProps) => {
  const planned = schedule && typeof schedule !== 'string' ? schedule.lines : []
  const lines = planned.map((line, index) =>
    index === 0 ? { ...line, interest: cents(line.interest + carried) } : line,
  )
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) return null
  return (
    <section className={classes.preview} aria-label={t('preview')}>
      <h3>{t('preview')}</h3>
      <dl className={classes.facts}>
        <Fact name={t('preview.first')}>
          <Dollars of={first.principal + first.interest} />
        </Fact>
        <Fact name={t('preview.last')}>
          <Dollars of={last.principal + last.interest} />
        </Fact>
      </dl>
      <Lines lines={lines} />
    </section>
  )
}
