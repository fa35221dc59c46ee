import { t } from '../../i18n/landing.ts'
import { LentSentence } from './LentSentence.tsx'
import { LoanSentence } from './LoanSentence.tsx'
import classes from './Steps.module.css'

const steps = ['invest', 'lend', 'repay', 'earn'] as const

/** The four-step explainer (docs/product.md 1.4). */
export const Steps = () => (
  <section id="how-it-works" className={classes.steps}>
    <h2 className={classes.title}>{t('steps.title')}</h2>
    <ol className={classes.list}>
      {steps.map((step, index) => (
        <li key={step} className={classes.step}>
          <span className={classes.number} aria-hidden>
            {index + 1}
          </span>
          <h3 className={classes.name}>{t(`steps.${step}.title`)}</h3>
          <p className={classes.text}>
            {t(`steps.${step}.text`)}
            {step === 'lend' && <LentSentence>{t('steps.lend.principal')}</LentSentence>}
            {(step === 'lend' || step === 'repay') && <LoanSentence name={step} />}
          </p>
        </li>
      ))}
    </ol>
  </section>
)
