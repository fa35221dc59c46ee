import { common } from '../i18n/common.ts'
import classes from './Sandbox.module.css'

/** Labels every page of a sandbox. The style sheet hides it in live mode. */
export const Sandbox = () => (
  <aside className={classes.strip} aria-label={common('sandbox.label')}>
    <p>
      <strong>{common('sandbox.label')}</strong> {common('sandbox')}
    </p>
  </aside>
)
