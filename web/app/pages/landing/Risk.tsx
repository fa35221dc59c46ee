import { IconEyeCheck, IconShieldHalf, IconUserSearch } from '@tabler/icons-react'
import { t } from '../../i18n/landing.ts'
import { LentSentence } from './LentSentence.tsx'
import { LoanSentence } from './LoanSentence.tsx'
import classes from './Risk.module.css'

const measures = [
  { name: 'vetting', icon: IconUserSearch },
  { name: 'monitoring', icon: IconEyeCheck },
  { name: 'reserve', icon: IconShieldHalf },
] as const

/** The risks, each with its countermeasure. */
const words = ['reserve', 'capital', 'locked', 'rates', 'afford'] as const

/** The risk section (docs/product.md 1.4). */
export const Risk = () => (
  <section id="about" className={classes.risk}>
    <div className={classes.measures}>
      <h2 className={classes.title}>{t('risk.title')}</h2>
      <ul className={classes.list}>
        {measures.map(({ name, icon: Icon }) => (
          <li key={name} className={classes.measure}>
            <Icon size={26} stroke={1.5} aria-hidden className={classes.icon} />
            <h3 className={classes.name}>{t(`risk.${name}.title`)}</h3>
            <p className={classes.text}>
              {t(`risk.${name}.text`)}
              {name === 'vetting' && <LoanSentence name={name} />}
            </p>
          </li>
        ))}
      </ul>
    </div>
    <aside className={classes.plain} aria-labelledby="plain-words">
      <h2 id="plain-words" className={classes.plainTitle}>
        {t('plain.title')}
      </h2>
      <ul className={classes.words}>
        {words.map((word) => (
          <li key={word}>
            {t(`plain.${word}`)}
            {word === 'capital' && <LentSentence>{t('plain.shared')}</LentSentence>}
          </li>
        ))}
      </ul>
    </aside>
  </section>
)
