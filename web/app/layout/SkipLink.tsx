import { common } from '../i18n/common.ts'
import classes from './SkipLink.module.css'

/** The id of what a screen is about, for the link that leads there. */
export const MAIN = 'main'

/**
 * The first stop of the Tab key: past the bar to what the screen is about. Seen only while it has
 * the focus.
 */
export const SkipLink = () => (
  <a href={`#${MAIN}`} className={classes.skip}>
    {common('skip')}
  </a>
)
