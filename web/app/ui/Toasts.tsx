import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.layer.css'

/** Shows toasts above everything else. */
export const Toasts = () => <Notifications position="top-center" />
