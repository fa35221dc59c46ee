import { centsFromDollars, dollarsFromCents, formatDollars } from '@pool/contract/base/money'
import { interestOn, PLANS_PATH, simpleYearlyRate } from '@pool/contract/money/plans'
import { useEffect } from 'react'
import { formatPercent } from '../../i18n/format.ts'
import { t } from '../../i18n/landing.ts'
import { offeredPlans } from '../../plans.ts'
import classes from './Plans.module.css'

/** The principal of the examples, in dollars. */
const EXAMPLE = 100

const titleOf = (count: number) => t('plans.title', { count })

/** Sentences for theme/page.js, by count: a number stands for any other one. */
const SOME = 7
const sentences = {
  'data-title-1': titleOf(1),
  'data-title-3': titleOf(3),
  'data-title': titleOf(SOME).replace(String(SOME), '{n}'),
  'data-days-1': t('plans.days', { days: 1 }),
  'data-days': t('plans.days', { days: SOME }).replace(String(SOME), '{n}'),
  'data-yearly': t('plans.yearly', { rate: '{n}' }),
}

/**
 * The plans with the interest on an example amount: those of the product's first version, which
 * theme/page.js replaces by those that count and are open.
 */
export const Plans = () => {
  useEffect(() => void window.dispatchEvent(new Event('plans')), [])
  return (
    <section
      className={classes.plans}
      aria-labelledby="plans"
      data-plans={PLANS_PATH}
      {...sentences}
    >
      <div className={classes.intro}>
        <h2 id="plans" className={classes.title}>
          {titleOf(offeredPlans().length)}
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
}
