import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import './theme/mantine.css'
import { queryClient } from './api/http/queryClient.ts'
import { reconnect } from './api/http/reconnect.ts'
import { onFactorAsked, type ProofRequest } from './api/http/stepUp.ts'
import { useSaid } from './loading/missing.ts'
import { onceIdle } from './loading/onceIdle.ts'
import { dialogOnDemand, fetchAhead, SaidInCorner } from './loading/onDemand.tsx'
import { IdleWarning } from './panels/idle/IdleWarning.tsx'
import { SessionKeeper } from './session/SessionKeeper.tsx'
import { colorSchemeManager } from './theme/colorScheme.ts'
import { cssVariablesResolver, theme } from './theme/mantine.ts'
import { useToastStack } from './ui/toasts.ts'

const StepUpDialog = dialogOnDemand(
  async () => (await import('./panels/factor/StepUpDialog.tsx')).StepUpDialog,
)

const ToastsOnceRaised = () => {
  const Stack = useToastStack()
  return Stack && <Stack />
}
const CornerOnceSaid = () => useSaid().length > 0 && <SaidInCorner />

/** Asks for a second factor when a call needs one. */
const StepUp = () => {
  const [asked, setAsked] = useState<ProofRequest | null>(null)
  useEffect(() => onFactorAsked(setAsked), [])
  return asked && <StepUpDialog {...asked} onClose={() => asked.settle(false)} />
}

/**
 * The frame of every screen but the landing page, which carries no component library and no
 * session.
 */
export default function Shell() {
  useEffect(() => reconnect(queryClient), [])
  useEffect(() => onceIdle(fetchAhead), [])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <ToastsOnceRaised />
        <CornerOnceSaid />
        <StepUp />
        <SessionKeeper>
          <IdleWarning />
        </SessionKeeper>
        <Outlet />
      </QueryClientProvider>
    </MantineProvider>
  )
}
