import { t } from '../../i18n/landing.ts'
import classes from './LoanSentence.module.css'

type Props = { readonly name: 'lend' | 'repay' | 'people' | 'vetting' }

const places = {
  loans: '{loans}',
  borrowers: '{borrowers}',
  outstanding: '{outstanding}',
  lent: '{lent}',
  interest: '{interest}',
  risk30: '{risk30}',
}

/** A sentence of the loan book, which theme/loans.js fills in. Hidden before. */
export const LoanSentence = ({ name }: Props) => (
  <span
    className={classes.sentence}
    data-loans={t(`loans.${name}`, places)}
    data-none={t('loans.none')}
    hidden
  />
)
