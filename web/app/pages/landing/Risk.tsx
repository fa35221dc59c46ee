import { IconEyeCheck, IconShieldHalf, IconUserSearch } from '@tabler/icons-react'
import classes from './Risk.module.css'

const measures = [
  { icon: IconUserSearch, title: 'Strict vetting', text: 'Borrowers are checked before money leaves the pool, not after.' },
  {
    icon: IconEyeCheck,
    title: 'Continuous monitoring',
    text: 'Every movement of money is on a double-entry ledger, and people review what goes in and out.',
  },
  {
    icon: IconShieldHalf,
    title: 'Risk reserve fund',
    text: 'The interest on your investment is moved out of the reserve and earmarked for you in the same step. If the reserve cannot cover it, the investment is not accepted.',
  },
] as const

/** The risk section (spec §1), with what can go wrong said as plainly as what is done about it. */
export const Risk = () => (
  <section id="about" className={classes.risk}>
    <div className={classes.measures}>
      <h2 className={classes.title}>How we look after risk</h2>
      <ul className={classes.list}>
        {measures.map(({ icon: Icon, title, text }) => (
          <li key={title} className={classes.measure}>
            <Icon size={26} stroke={1.5} aria-hidden className={classes.icon} />
            <h3 className={classes.name}>{title}</h3>
            <p className={classes.text}>{text}</p>
          </li>
        ))}
      </ul>
    </div>
    <aside className={classes.plain} aria-labelledby="plain-words">
      <h2 id="plain-words" className={classes.plainTitle}>
        In plain words
      </h2>
      <ul className={classes.words}>
        <li>Returns are paid only from the pool's reserve, never from another investor's deposit.</li>
        <li>Your capital is at risk. If loans fail, you can lose money, up to all that you put in.</li>
        <li>Money in an investment cannot be withdrawn before it matures.</li>
        <li>Deposits are credited, and withdrawals paid, after a person has approved them.</li>
        <li>Invest only what you can do without.</li>
      </ul>
    </aside>
  </section>
)
