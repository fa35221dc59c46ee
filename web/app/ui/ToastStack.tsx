import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.layer.css'
import classes from './toasts.module.css'
import { useToastsHeld } from './toasts.ts'

/** Shows toasts at the bottom right. Held ones wait, and their time starts when they appear. */
export const ToastStack = () =>
  useToastsHeld() ? null : (
    <Notifications
      position="bottom-right"
      containerWidth="23rem"
      classNames={{ root: classes.stack ?? '', notification: classes.toast ?? '' }}
    />
  )
