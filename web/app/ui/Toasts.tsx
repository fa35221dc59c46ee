import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.layer.css'

/** Where short messages appear, above everything else. */
export const Toasts = () => <Notifications position="top-center" />
