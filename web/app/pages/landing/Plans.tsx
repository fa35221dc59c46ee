import { centsFromDollars, dollarsFromCents, formatDollars } from '@pool/contract/money'
import { interestOn, plans } from '@pool/contract/plans'
import classes from './Plans.module.css'

/** The principal that the examples are reckoned on, in dollars. */
const EXAMPLE = 100

/** The plans with what each pays on an example amount. */
export const Plans = () => (
  <section className={classes.plans} aria-labelledby="plans">
    <div className={classes.intro}>
      <h2 id="plans" className={classes.title}>
        Three plans, no small print
      </h2>
      <p>What {formatDollars(EXAMPLE)} earns over each plan. No fee is taken from it.</p>
    </div>
    <ul className={classes.list}>
      {plans.map((plan) => (
        <li key={plan.durationDays} className={classes.plan}>
          <span className={classes.duration}>
            {plan.durationDays} {plan.durationDays === 1 ? 'day' : 'days'}
          </span>
          <span className={classes.rate}>{`${plan.rateBasisPoints / 100}%`}</span>
          <span className={classes.earned}>{`+ ${formatDollars(dollarsFromCents(interestOn(centsFromDollars(EXAMPLE), plan)))}`}</span>
        </li>
      ))}
    </ul>
  </section>
)
