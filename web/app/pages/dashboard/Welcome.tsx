import type { ReactNode } from 'react'
import { t } from '../../i18n/dashboard.ts'
import classes from './page.module.css'

/** The age of an account below which its owner is on the first visit. */
const FIRST_VISIT_MS = 3_600_000

type Props = {
  readonly name?: string | null
  /** The moment of the registration. Name and moment arrive together. */
  readonly since?: Date | null
  readonly children?: ReactNode
}

/** The greeting, by name once known, and the risk before any figure (docs/product.md 3.5). */
export const Welcome = ({ name = null, since = null, children }: Props) => {
  const isFirst = since !== null && Date.now() - since.getTime() < FIRST_VISIT_MS
  return (
    <div className={classes.welcome}>
      <h2 className={classes.greeting}>
        {name ? t(isFirst ? 'welcome.first' : 'welcome.named', { name }) : t('welcome')}
      </h2>
      <p>{t('rates.risk')}</p>
      {children}
    </div>
  )
}
