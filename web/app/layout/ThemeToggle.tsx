import { IconMoon, IconSun } from '@tabler/icons-react'
import { common } from '../i18n/common.ts'
import classes from './ThemeToggle.module.css'

/**
 * Light or dark; theme/page.js does the switching, on pages with and without React. Both icons are
 * in the page and the style sheet shows one: a prerendered page cannot know which.
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
