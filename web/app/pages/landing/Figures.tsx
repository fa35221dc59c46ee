import { poolBook } from '@pool/contract/lending/poolBook'
import { poolFigures } from '@pool/contract/reports/figures'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { t } from '../../i18n/landing.ts'
import { StillPaidBy } from '../../panels/paidBy/StillPaidBy.tsx'
import loansScript from '../../theme/loans.js?raw'
import classes from './Figures.module.css'
import { Followed } from './Followed.tsx'

const figures = ['moneyAtWork', 'interestPaid', 'reserve', 'coverage'] as const

/**
 * The pool's figures and the way to all of them, which scripts of theme/ fill in: the page carries
 * no React. Without script the section stays hidden.
 */
export const Figures = () => {
  // The page's own HTML brings the script. After a link within the app it comes here.
  useEffect(() => {
    window.dispatchEvent(new Event('figures'))
    void import('../../theme/loans.js').then(
      () => window.dispatchEvent(new Event('loans')),
      () => undefined,
    )
  }, [])
  return (
    <section
      className={classes.figures}
      aria-labelledby="figures"
      data-figures={poolFigures.path}
      data-book={poolBook.path}
    >
      <div>
        <h2 id="figures" className={classes.title}>
          {t('figures.title')}
        </h2>
        <Followed />
        <p data-with-book hidden>
          <Link to="/pool">{t('loans.all')}</Link>
        </p>
      </div>
      {import.meta.env.SSR && <script dangerouslySetInnerHTML={{ __html: loansScript }} />}
      <dl className={classes.list}>
        {figures.map((name) => (
          <div key={name}>
            <dt>{t(`figures.${name}`)}</dt>
            <dd data-figure={name}>–</dd>
          </div>
        ))}
      </dl>
      <div className={classes.wide}>
        <StillPaidBy />
      </div>
    </section>
  )
}
