import { MantineProvider } from '@mantine/core'
import { useNotifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import './theme/mantine.css'
import { queryClient } from './api/http/queryClient.ts'
import { reconnect } from './api/http/reconnect.ts'
import { type Asked, onFactorAsked } from './api/http/stepUp.ts'
import { onDemand } from './loading/onDemand.tsx'
import { IdleWarning } from './panels/idle/IdleWarning.tsx'
import { SessionKeeper } from './session/SessionKeeper.tsx'
import { colorSchemeManager } from './theme/colorScheme.ts'
import { cssVariablesResolver, theme } from './theme/mantine.ts'

const StepUpDialog = onDemand(
  async () => (await import('./panels/factor/StepUpDialog.tsx')).StepUpDialog,
)
const ToastStack = onDemand(async () => (await import('./ui/ToastStack.tsx')).ToastStack)

/** Toasts are rare, so their code comes with the first one. */
const ToastsOnceRaised = () => {
  const { notifications } = useNotifications()
  const [raised, setRaised] = useState(false)
  if (notifications.length > 0 && !raised) setRaised(true)
  return raised && <ToastStack />
}

/** Asks for a second factor when a call needs one. */
const StepUp = () => {
  const [asked, setAsked] = useState<Asked | null>(null)
  useEffect(() => onFactorAsked(setAsked), [])
  return asked && <StepUpDialog {...asked} />
}

/**
 * The frame of every screen but the landing page, which carries no component library and no
 * session.
 */
export default function Shell() {
  useEffect(() => reconnect(queryClient), [])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <ToastsOnceRaised />
        <StepUp />
        <SessionKeeper>
          <IdleWarning />
        </SessionKeeper>
        <Outlet />
      </QueryClientProvider>
    </MantineProvider>
  )
}
