import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router'
import '@mantine/core/styles.layer.css'
import './theme/mantine.css'
import { queryClient } from './api/queryClient.ts'
import { SessionKeeper } from './session/SessionKeeper.tsx'
import { colorSchemeManager } from './theme/colorScheme.ts'
import { cssVariablesResolver, theme } from './theme/mantine.ts'

// Toasts are rare and their machinery is not small; one that is raised before it has arrived is shown when it has.
const Toasts = lazy(async () => ({ default: (await import('./ui/Toasts.tsx')).Toasts }))

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
        <Suspense>
          <Toasts />
        </Suspense>
        <SessionKeeper />
        <Outlet />
      </QueryClientProvider>
    </MantineProvider>
  )
}
