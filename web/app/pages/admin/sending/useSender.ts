import { useMayWrite, useSessionUser } from '../../../session/store.ts'
import type { Sender } from './readiness.ts'

/** This person, as {@link readiness} asks. */
export const useSender = (): Sender => {
  const user = useSessionUser()
  return {
    userId: user?.id,
    mayWrite: useMayWrite(),
    mayGiveBack: user?.role === 'SUPER_ADMIN',
  }
}
