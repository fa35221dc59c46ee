import { poolFigures } from '@pool/contract/figures'
import { useEffect } from 'react'
import { t } from '../../i18n/landing.ts'
import classes from './Figures.module.css'

const figures = ['moneyAtWork', 'interestPaid', 'reserve', 'coverage'] as const

/**
 * The pool's live figures, which theme/page.js puts in: the page as it is served carries no React
 * that could. Where React does draw this page, it only says so. Without script there is nothing to
 * show, so the section stays away.
 */
export const Figures = () => {
  useEffect(() => void window.dispatchEvent(new Event('figures')), [])
  return (
    <section className={classes.figures} aria-labelledby="figures" data-figures={poolFigures.path}>
      <div>
        <h2 id="figures" className={classes.title}>
          {t('figures.title')}
        </h2>
        <p className={classes.text}>{t('figures.text')}</p>
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
