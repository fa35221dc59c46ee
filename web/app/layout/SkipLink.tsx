import { common } from '../i18n/common.ts'
import classes from './SkipLink.module.css'

/** The id of the main content. */
export const MAIN = 'main'

/** The first stop of the Tab key, seen only with the focus. */
export const SkipLink = () => (
  <a href={`#${MAIN}`} className={classes.skip}>
    {common('skip')}
  </a>
)
