import { Link } from 'react-router'
import type { ShownLoan, ShownTerms } from '../../../api/lending/loans.ts'
import { named, t } from '../../../i18n/loans.ts'
import { Day } from '../../../panels/loans/Day.tsx'
import facts from '../../../panels/loans/Loans.module.css'
import { Fact, LoanTerms } from '../../../panels/loans/LoanTerms.tsx'
import { rateText } from '../../../panels/loans/rates.ts'
import { Tag } from '../../../tables/cells.tsx'
import { Money } from '../../../ui/Money.tsx'
import classes from './OneLoan.module.css'
import { Schedule } from './Schedule.tsx'

/** The default of a loan, with what it owed then and why. */
export const Default = ({ story }: { readonly story: ShownLoan }) => {
  const ended = story.default
  if (!ended) return null
  const { on, reason, daysPastDue, exposure, why } = ended
  return (
    <section aria-labelledby="default" className={classes.section}>
      <h2 id="default">{t('defaulted')}</h2>
      <div className={classes.card}>
        <dl className={`${facts.facts} ${classes.inset}`}>
          <Fact name={t('defaulted.on')}>
            <Day on={on} />
          </Fact>
          <Fact name={t('defaulted.reason')}>
            {named('defaulted', reason)}
            {daysPastDue > 0 && ` · ${t('defaulted.days', { count: daysPastDue })}`}
          </Fact>
          <Fact name={t('defaulted.exposure')}>
            <Money dollars={exposure} />
          </Fact>
          {why !== null && <Fact name={t('reason')}>{why}</Fact>}
        </dl>
      </div>
    </section>
  )
}

type OldProps = { readonly story: ShownLoan; readonly terms: ShownTerms; readonly place: number }

/** New terms, with the schedule that they ended. */
const NewTerms = ({ story, terms, place }: OldProps) => {
  const { startsOn, firstNumber, principal, interest, isDistressed } = terms
  const { rateBasisPoints, schedule, period, instalments, firstDueOn, why } = terms
  const begun = story.restructurings[place - 1]?.firstNumber ?? 1
  const old = story.replacedLines.filter(({ number }) => number >= begun && number < firstNumber)
  const id = `old-${firstNumber}`
  return (
    <li className={classes.terms}>
      <h3>
        {t('newTerms.since')} <Day on={startsOn} />
        {isDistressed && <Tag tone="amber">{t('newTerms.distressed')}</Tag>}
      </h3>
      <dl className={facts.facts}>
        <Fact name={t('line.principal')}>
          <Money dollars={principal} />
        </Fact>
        <Fact name={t('newTerms.carried')}>
          <Money dollars={interest} />
        </Fact>
        <Fact name={t('rate')}>{rateText(rateBasisPoints)}</Fact>
        <Fact name={t('schedule')}>{named('schedule', schedule)}</Fact>
        <Fact name={t('instalments')}>
          {instalments} · {named('period', period)}
        </Fact>
        <Fact name={t('firstDueOn')}>
          <Day on={firstDueOn} />
        </Fact>
      </dl>
      <p>
        <q>{why}</q>
      </p>
      <details>
        <summary id={id}>{t('newTerms.old', { count: old.length })}</summary>
        <div className={classes.schedule}>
          <Schedule labelledBy={id} lines={old} isRunning={false} />
        </div>
      </details>
    </li>
  )
}

/** All new terms of a loan, the newest first, and those of its application. */
export const AllNewTerms = ({ story }: { readonly story: ShownLoan }) => {
  const { restructurings } = story
  if (restructurings.length === 0) return null
  return (
    <section aria-labelledby="terms" className={classes.section}>
      <h2 id="terms">{t('newTerms')}</h2>
      <div className={classes.card}>
        <ul className={classes.lines}>
          {restructurings
            .map((terms, place) => (
              <NewTerms key={terms.firstNumber} story={story} terms={terms} place={place} />
            ))
            .toReversed()}
          <li className={classes.terms}>
            <h3>{t('newTerms.first')}</h3>
            <LoanTerms loan={story.loan} yearlyRate={story.yearlyRate} />
          </li>
        </ul>
      </div>
    </section>
  )
}

/** A loan with the terms in force. The yearly rate is that of the first ones. */
export const termsInForce = ({ loan, restructurings, yearlyRate }: ShownLoan) => {
  const now = restructurings.at(-1)
  if (!now) return { loan, yearlyRate }
  const { rateBasisPoints, schedule, period, dayCount, instalments, firstDueOn } = now
  return {
    loan: { ...loan, rateBasisPoints, schedule, period, dayCount, instalments, firstDueOn },
    yearlyRate: null,
  }
}

/** The loans that this one refinances, and that refinance it. */
export const Refinancing = ({ story: { loan, refinancedById } }: { readonly story: ShownLoan }) => (
  <>
    {loan.refinancesId !== null && (
      <p className={classes.evidence}>
        <Link to={`/admin/loans/${loan.refinancesId}`}>{t('refinances')}</Link>
      </p>
    )}
    {refinancedById !== null && (
      <p className={classes.evidence}>
        <Link to={`/admin/loans/${refinancedById}`}>{t('refinanced')}</Link>
      </p>
    )}
  </>
)
