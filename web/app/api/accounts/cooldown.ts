import { useQueryClient } from '@tanstack/react-query'
import { asMoment, asRecord } from '../http/reading.ts'

/** The end of a cooldown of a user's withdrawals, from the look-up that each session makes. */
export const useCooldownEnd = (username: string | undefined): Date | null => {
  const looked = asRecord(useQueryClient().getQueryData(['session', username]))
  return asMoment(asRecord(looked?.data)?.withdrawalsRestUntil)
}
