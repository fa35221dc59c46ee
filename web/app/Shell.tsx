import { MantineProvider } from '@mantine/core'
import { useNotifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet } from 'react-router'
import './theme/mantine.css'
import { queryClient } from './api/http/queryClient.ts'
import { onDemand } from './loading/onDemand.tsx'
import { IdleWarning } from './panels/idle/IdleWarning.tsx'
import { SessionKeeper } from './session/SessionKeeper.tsx'
import { colorSchemeManager } from './theme/colorScheme.ts'
import { cssVariablesResolver, theme } from './theme/mantine.ts'

const Toasts = onDemand(async () => (await import('./ui/Toasts.tsx')).Toasts)

/** Toasts are rare, so their code comes with the first one. */
const ToastsOnceRaised = () => {
  const { notifications } = useNotifications()
  const [raised, setRaised] = useState(false)
  if (notifications.length > 0 && !raised) setRaised(true)
  return raised && <Toasts />
}

/**
 * The frame of every screen but the landing page, which carries no component library and no
 * session.
 */
export default function Shell() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <ToastsOnceRaised />
        <SessionKeeper>
          <IdleWarning />
        </SessionKeeper>
        <Outlet />
      </QueryClientProvider>
    </MantineProvider>
  )
}
