import type { ReactNode } from 'react'
import { t } from '../../i18n/dashboard.ts'
import classes from './page.module.css'

/**
 * The banner at the beginning (docs/product.md 3.5): by name once that is known. What must be known
 * of the risk is read before any figure.
 */
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
