import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { common } from '../i18n/common.ts'
import { toggleAmounts, useAmountsHidden } from '../ui/hiddenAmounts.ts'
import classes from './ThemeToggle.module.css'

/** Hides every amount on the screen from onlookers. */
export const AmountsToggle = () => {
  const hidden = useAmountsHidden()
  const label = common(hidden ? 'amounts.show' : 'amounts.hide')
  const Icon = hidden ? IconEyeOff : IconEye
  return (
    <button
      type="button"
      className={classes.toggle}
      aria-label={label}
      title={label}
      onClick={toggleAmounts}
    >
      <Icon size={18} stroke={1.75} aria-hidden />
    </button>
  )
}
