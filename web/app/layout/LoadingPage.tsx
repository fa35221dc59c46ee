import { configuration } from '../configuration.ts'
import { common } from '../i18n/common.ts'
import { LogoMark } from '../ui/Logo.tsx'
import classes from './LoadingPage.module.css'

/** The pool's mark during loading. */
export const LoadingMark = () => (
  <div className={classes.page} role="status" aria-label={common('loading')}>
    <LogoMark size={44} />
  </div>
)

/** The page before its code has arrived. */
export const LoadingPage = () => (
  <>
    <title>{configuration().productName}</title>
    <LoadingMark />
  </>
)
