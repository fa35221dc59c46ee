import {
  centsFromDollars,
  dollarsFromCents,
  formatDollars,
  MINIMUM_ENTRY,
} from '@pool/contract/base/money'
import { interestOn, PLANS_PATH, simpleYearlyRate } from '@pool/contract/money/plans'
import { useEffect } from 'react'
import { formatPercent } from '../../i18n/format.ts'
import { t } from '../../i18n/landing.ts'
import { offeredPlans } from '../../plans.ts'
import classes from './Plans.module.css'

/** The dollars of the calculator before a visitor types others. */
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
  'data-least': t('plans.least', { least: formatDollars(MINIMUM_ENTRY) }),
}

/**
 * The plans with the interest on an amount that a visitor may type: those of the product's first
 * version, which theme/page.js replaces by those that count and are open. It also computes.
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
        <p>{t('plans.text')}</p>
        <label className={classes.amount}>
          {t('plans.amount')}
          <span>
            $
            <input
              type="number"
              required
              min={MINIMUM_ENTRY}
              step="any"
              defaultValue={EXAMPLE}
              data-principal
            />
          </span>
        </label>
      </div>
      <ul className={classes.list}>
        {offeredPlans().map((plan) => (
          <li key={plan.durationDays} className={classes.plan}>
            <span className={classes.duration}>{t('plans.days', { days: plan.durationDays })}</span>
            <span className={classes.rate}>{`${plan.rateBasisPoints / 100}%`}</span>
            <span
              className={classes.earned}
              data-rate={plan.rateBasisPoints}
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
