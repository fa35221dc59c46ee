import { IconMoon, IconSun } from '@tabler/icons-react'
import { common } from '../i18n/common.ts'
import classes from './ThemeToggle.module.css'

/**
 * Switches light and dark by theme/page.js. The style sheet shows one of the two icons, since
 * prerendering cannot know.
 */
export const ThemeToggle = () => (
  <button
    type="button"
    data-toggle="color-scheme"
    className={classes.toggle}
    aria-label={common('theme.toggle')}
  >
    <IconMoon className={classes.moon} size={18} stroke={1.75} aria-hidden />
    <IconSun className={classes.sun} size={18} stroke={1.75} aria-hidden />
  </button>
)
