import { poolFigures } from '@pool/contract/figures'
import { poolBook } from '@pool/contract/poolBook'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { t } from '../../i18n/landing.ts'
import classes from './Figures.module.css'

const figures = ['moneyAtWork', 'interestPaid', 'reserve', 'coverage'] as const

/**
 * The pool's figures, which theme/page.js fills in: the page carries no React. Without script the
 * section stays hidden.
 */
export const Figures = () => {
  useEffect(() => void window.dispatchEvent(new Event('figures')), [])
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
        <p className={classes.text}>{t('figures.text')}</p>
        <p className={classes.play}>{t('figures.play')}</p>
        <p data-with-book hidden>
          <Link to="/pool">{t('loans.all')}</Link>
        </p>
      </div>
      <dl className={classes.list}>
        {figures.map((name) => (
          <div key={name}>
            <dt>{t(`figures.${name}`)}</dt>
            <dd data-figure={name}>–</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
