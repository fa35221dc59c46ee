import { t } from '../../i18n/paidBy.ts'
import classes from './PaidBy.module.css'

/** A number stands for any other one. */
const SOME = 7
const forAny = (sentence: string, name: string): string =>
  sentence.replace(String(SOME), `{${name}}`)
const shared = (borrowers: number) => t('shared', { borrowers, operator: '{operator}' })
const runway = (days: number) => t('runway', { days })

/** The same as `PaidBy` on a page without React, which theme/loans.js fills in. Hidden before. */
export const StillPaidBy = () => (
  <div className={classes.paid} data-paid hidden>
    <div className={classes.words}>
      <p
        className={classes.payers}
        data-payers={forAny(shared(SOME), 'borrowers')}
        data-payers-1={shared(1)}
        data-payers-0={t('operator')}
        data-payers-100={t('borrowers')}
        data-none={t('none')}
      />
      <p data-runway={forAny(runway(SOME), 'days')} data-runway-1={runway(1)} />
      <p data-rates={t('rates', { plans: '{plans}', loans: '{loans}' })} />
    </div>
    <figure className={classes.line} data-line>
      <figcaption>{t('line')}</figcaption>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
        <polygon />
        <polyline />
      </svg>
      <p className={classes.ends}>
        <span />
        <span />
      </p>
    </figure>
  </div>
)
