import { configuration } from '../../../configuration.ts'
import { useMayWrite, useSessionUser } from '../../../session/store.ts'
import { useNow } from '../../../ui/useNow.ts'
import { type Decidable, type Decider, type Readiness, readiness } from './readiness.ts'

export const isLive = (): boolean => configuration().poolMode === 'live'

/** This person at this moment. */
export const useDecider = (): Decider => ({
  email: useSessionUser()?.email,
  mayWrite: useMayWrite(),
  isLive: isLive(),
  now: useNow(),
})

export const useReadiness = (request: Decidable): Readiness => readiness(request, useDecider())
