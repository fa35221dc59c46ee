import { useQueryClient } from '@tanstack/react-query'
import { asMoment, asRecord } from './http/reading.ts'

/** The end of the rest of a user's withdrawals, from the look-up that each session makes. */
export const useRestsUntil = (username: string | undefined): Date | null => {
  const looked = asRecord(useQueryClient().getQueryData(['session', username]))
  return asMoment(asRecord(looked?.data)?.withdrawalsRestUntil)
}
