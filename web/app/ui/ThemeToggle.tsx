import { IconMoon, IconSun } from '@tabler/icons-react'
import { useEffect } from 'react'
import { followColorScheme, toggleColorScheme } from './colorScheme.ts'
import classes from './ThemeToggle.module.css'

/** Light or dark. Both icons are in the page and the style sheet shows one: the prerendered page cannot know which. */
export const ThemeToggle = () => {
  useEffect(followColorScheme, [])
  return (
    <button type="button" className={classes['toggle']} aria-label="Switch between light and dark" onClick={toggleColorScheme}>
      <IconMoon className={classes['moon']} size={18} stroke={1.75} aria-hidden />
      <IconSun className={classes['sun']} size={18} stroke={1.75} aria-hidden />
    </button>
  )
}
