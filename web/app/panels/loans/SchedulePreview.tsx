import { type TypedTerms, termsFrom } from '@pool/contract/loanTerms'
import { cents, dollarsFromCents } from '@pool/contract/money'
import { scheduleOf } from '@pool/contract/schedules'
import { yearlyRateOf } from '@pool/contract/yearlyRate'
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

/** The schedule and the yearly rate of the typed terms, as the server will store them. */
export const SchedulePreview = ({ typed }: { readonly typed: TypedTerms | null }) => {
  // Long schedules are exact fractions, which take longer than a key.
  const shown = useDeferredValue(JSON.stringify(typed))
  const found = useMemo(() => {
    const read = JSON.parse(shown) as TypedTerms | null
    const terms = read && termsFrom(read)
    if (!terms || typeof terms === 'string') return terms
    const lines = scheduleOf(terms)
    return { lines, yearlyRate: yearlyRateOf(terms, lines) }
  }, [shown])
  const lines = found && typeof found !== 'string' ? found.lines : []
  const interest = lines.reduce((sum, line) => sum + line.interest, 0n)
  const [first, last] = [lines[0], lines.at(-1)]
  return (
    <section className={classes.preview} aria-label={t('preview')}>
      <h3>{t('preview')}</h3>
      {found === null && <p className={classes.muted}>{t('preview.none')}</p>}
      {typeof found === 'string' && (
        <p className={classes.problem} role="status">
          {t(`problem.${found}`)}
        </p>
      )}
      {found && typeof found !== 'string' && first && last && (
        <>
          <dl className={classes.facts}>
            <Fact name={t('yearlyRate')}>{rateText(found.yearlyRate)}</Fact>
            <Fact name={t('preview.interest')}>
              <Dollars of={interest} />
            </Fact>
            <Fact name={t('preview.first')}>
              <Dollars of={first.principal + first.interest} />
            </Fact>
            <Fact name={t('preview.last')}>
              <Dollars of={last.principal + last.interest} />
            </Fact>
          </dl>
          <Lines lines={lines} />
        </>
      )}
    </section>
  )
}
