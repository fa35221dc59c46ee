import type { ReactNode } from 'react'
import { t } from '../../i18n/dashboard.ts'
import classes from './page.module.css'

/** The greeting, by name once known, and the risk before any figure (docs/product.md 3.5). */
export const Welcome = ({
  name = null,
  children,
}: {
  name?: string | null
  children?: ReactNode
}) => (
  <div className={classes.welcome}>
    <h2 className={classes.greeting}>{name ? t('welcome.named', { name }) : t('welcome')}</h2>
    <p>
      {t('welcome.text')} {t('rates.risk')}
    </p>
    {children}
  </div>
)
