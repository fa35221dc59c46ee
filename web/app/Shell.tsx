import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from 'react-router'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import { queryClient } from './api/queryClient.ts'
import { SessionKeeper } from './session/SessionKeeper.tsx'
import { cssVariablesResolver, theme } from './theme/mantine.ts'
import { colorSchemeManager } from './theme/colorScheme.ts'

/**
 * What every screen but the landing page stands in. The landing page does without, so that a visitor's first page
 * carries neither a component library nor a session.
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
        <Notifications position="top-center" />
        <SessionKeeper />
        <Outlet />
      </QueryClientProvider>
    </MantineProvider>
  )
}
