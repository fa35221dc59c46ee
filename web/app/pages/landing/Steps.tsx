import classes from './Steps.module.css'

const steps = [
  {
    title: 'You Invest',
    text: 'Choose an amount and a plan. You see the interest in dollars before you confirm, and it does not change afterwards.',
  },
  { title: 'We Lend', text: 'The pool lends to people whose applications have been vetted. You fund the pool, never a single loan.' },
  {
    title: 'Borrowers Repay',
    text: 'Repayments return to the pool, and what they bring in tops up the reserve that interest is paid from.',
  },
  {
    title: 'You Earn',
    text: 'On the maturity date your principal and its interest are back in your balance, to invest again or withdraw.',
  },
] as const

/** The four-step explainer (spec §1). */
export const Steps = () => (
  <section id="how-it-works" className={classes.steps}>
    <h2 className={classes.title}>How it works</h2>
    <ol className={classes.list}>
      {steps.map(({ title, text }, index) => (
        <li key={title} className={classes.step}>
          <span className={classes.number} aria-hidden>
            {index + 1}
          </span>
          <h3 className={classes.name}>{title}</h3>
          <p className={classes.text}>{text}</p>
        </li>
      ))}
    </ol>
  </section>
)
