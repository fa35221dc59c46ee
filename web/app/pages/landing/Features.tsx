import { MINIMUM_ENTRY } from '@pool/contract/money'
import { IconArrowsSplit2, IconClockDollar, IconCoin, IconHeartHandshake } from '@tabler/icons-react'
import classes from './Features.module.css'

const features = [
  {
    icon: IconClockDollar,
    title: 'Passive income',
    text: 'Interest arrives by itself when an investment matures. There is nothing to trade, time or watch.',
  },
  {
    icon: IconHeartHandshake,
    title: 'Supports real people',
    text: 'Behind every loan there is a person with a purpose. What you lend is at work in their lives.',
  },
  {
    icon: IconCoin,
    title: `Entry as low as $${MINIMUM_ENTRY}`,
    text: 'Begin small, see how a plan runs from start to maturity, and only then decide whether to do more.',
  },
  {
    icon: IconArrowsSplit2,
    title: 'Diversified risk',
    text: 'Every dollar belongs to the whole pool, so no single loan decides how your investment ends.',
  },
] as const

/** What speaks for the pool (spec §1). */
export const Features = () => (
  <section id="features" className={classes.features}>
    <h2 className={classes.title}>Made for steady, small steps</h2>
    <ul className={classes.list}>
      {features.map(({ icon: Icon, title, text }) => (
        <li key={title} className={classes.feature}>
          <Icon size={28} stroke={1.5} aria-hidden className={classes.icon} />
          <h3 className={classes.name}>{title}</h3>
          <p className={classes.text}>{text}</p>
        </li>
      ))}
    </ul>
  </section>
)
