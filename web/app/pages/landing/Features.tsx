import { MINIMUM_ENTRY } from '@pool/contract/base/money'
import {
  IconArrowsSplit2,
  IconClockDollar,
  IconCoin,
  IconHeartHandshake,
} from '@tabler/icons-react'
import { t } from '../../i18n/landing.ts'
import classes from './Features.module.css'
import { LoanSentence } from './LoanSentence.tsx'

const features = [
  { name: 'passive', icon: IconClockDollar },
  { name: 'people', icon: IconHeartHandshake },
  { name: 'entry', icon: IconCoin },
  { name: 'diversified', icon: IconArrowsSplit2 },
] as const

/** The strengths of the pool (docs/product.md 1.4). */
export const Features = () => (
  <section id="features" className={classes.features}>
    <h2 className={classes.title}>{t('features.title')}</h2>
    <ul className={classes.list}>
      {features.map(({ name, icon: Icon }) => (
        <li key={name} className={classes.feature}>
          <Icon size={28} stroke={1.5} aria-hidden className={classes.icon} />
          <h3 className={classes.name}>
            {t(`features.${name}.title`, { minimum: `$${MINIMUM_ENTRY}` })}
          </h3>
          <p className={classes.text}>
            {t(`features.${name}.text`)}
            {name === 'people' && <LoanSentence name={name} />}
          </p>
        </li>
      ))}
    </ul>
  </section>
)
