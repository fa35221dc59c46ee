import { configuration } from '../configuration.ts'
import { common } from '../i18n/common.ts'
import classes from './LoadingPage.module.css'
import { LogoMark } from './Logo.tsx'

/** The quiet moment before a page's code is there. */
export const LoadingPage = () => (
  <div className={classes.page} role="status" aria-label={common('loading')}>
    <title>{configuration().productName}</title>
    <LogoMark size={44} />
  </div>
)
