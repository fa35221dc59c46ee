import { Button, type ButtonProps } from '@mantine/core'
import { useIsSettling } from '../../../tables/held.ts'
import classes from './DecisionButton.module.css'

type Props = Omit<ButtonProps, 'loading'> & {
  readonly busy?: boolean
  /** Describes the row to screen readers. */
  readonly about?: string
  readonly onPress: () => void
}

/**
 * A button that decides. It ignores clicks while it is busy, and for a second after rows moved. It
 * stays in the tab order then, so that its user does not lose the focus.
 */
export const DecisionButton = ({ busy = false, about, onPress, ...props }: Props) => {
  const isSettling = useIsSettling()
  const isDead = busy || isSettling
  return (
    <Button
      size="xs"
      {...props}
      className={classes.button ?? ''}
      aria-description={about}
      aria-disabled={isDead || undefined}
      aria-busy={busy || undefined}
      onClick={() => {
        if (!isDead) onPress()
      }}
    />
  )
}
