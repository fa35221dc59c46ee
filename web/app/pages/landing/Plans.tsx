import { centsFromDollars, dollarsFromCents, formatDollars } from '@pool/contract/money'
import { interestOn, simpleYearlyRate } from '@pool/contract/plans'
import { formatPercent } from '../../i18n/format.ts'
import { t } from '../../i18n/landing.ts'
import { offeredPlans } from '../../plans.ts'
import classes from './Plans.module.css'

/** The principal of the examples, in dollars. */
const EXAMPLE = 100

/** The plans with the interest on an example amount. */
export const Plans = () => (
  <section className={classes.plans} aria-labelledby="plans">
    <div className={classes.intro}>
      <h2 id="plans" className={classes.title}>
        {t('plans.title', { count: offeredPlans().length })}
      </h2>
      <p>{t('plans.text', { example: formatDollars(EXAMPLE) })}</p>
    </div>
    <ul className={classes.list}>
      {offeredPlans().map((plan) => (
        <li key={plan.durationDays} className={classes.plan}>
          <span className={classes.duration}>{t('plans.days', { days: plan.durationDays })}</span>
          <span className={classes.rate}>{`${plan.rateBasisPoints / 100}%`}</span>
          <span
            className={classes.earned}
          >{`+ ${formatDollars(dollarsFromCents(interestOn(centsFromDollars(EXAMPLE), plan)))}`}</span>
          <span className={classes.yearly}>
            {t('plans.yearly', { rate: formatPercent(simpleYearlyRate(plan)) })}
          </span>
        </li>
      ))}
    </ul>
  </section>
)
