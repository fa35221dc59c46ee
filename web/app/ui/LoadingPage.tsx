import { configuration } from '../configuration.ts'
import classes from './LoadingPage.module.css'
import { LogoMark } from './Logo.tsx'

/** The quiet moment before a page's code is there. */
export const LoadingPage = () => (
  <div className={classes.page} role="status" aria-label="Loading">
    <title>{configuration().productName}</title>
    <LogoMark size={44} />
  </div>
)
