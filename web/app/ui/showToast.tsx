import { Notifications, notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.layer.css'
import { IconAlertCircle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { common } from '../i18n/common.ts'
import { useToastsHeld } from './heldToasts.ts'
import classes from './toasts.module.css'

const looks = {
  good: { color: 'green', icon: IconCircleCheck, role: 'status' },
  bad: { color: 'red', icon: IconAlertCircle, role: 'alert' },
  news: { color: 'petrol', icon: IconInfoCircle, role: 'status' },
} as const

/** The time that a toast stays, in milliseconds. A toast with an action stays longer. */
const SHOWN_FOR = 6_000
const SHOWN_WITH_ACTION = 10_000

export type Toast = {
  readonly message: string
  readonly tone?: keyof typeof looks
  /** At most one, such as 'See the transaction'. Pressing it closes the toast. */
  readonly action?: { readonly label: string; readonly onPress: () => void }
  /** Leads to what the message is about. */
  readonly link?: ReactNode
  /** Interrupts a screen reader. */
  readonly isUrgent?: boolean
  /** The same id shows once. */
  readonly id?: string
  readonly shownFor?: number
}

/** Shows a toast. */
export const showToast = ({ message, tone = 'good', action, link, ...rest }: Toast): void => {
  const { id, shownFor, isUrgent = false } = rest
  const { color, icon: Icon, role } = looks[tone]
  const shown = notifications.show({
    ...(id !== undefined && { id }),
    color,
    role: isUrgent ? 'alert' : role,
    icon: <Icon size={20} stroke={1.75} aria-hidden />,
    autoClose: shownFor ?? (action || link ? SHOWN_WITH_ACTION : SHOWN_FOR),
    closeButtonProps: { 'aria-label': common('close') },
    message: (
      <>
        {message} {link}
        {action && (
          <button
            type="button"
            className={classes.action}
            onClick={() => {
              notifications.hide(shown)
              action.onPress()
            }}
          >
            {action.label}
          </button>
        )}
      </>
    ),
  })
}

/** Draws toasts at the bottom right. Held ones wait, and their time starts when they appear. */
export const ToastStack = () =>
  useToastsHeld() ? null : (
    <Notifications
      position="bottom-right"
      containerWidth="23rem"
      classNames={{ root: classes.stack ?? '', notification: classes.toast ?? '' }}
    />
  )
