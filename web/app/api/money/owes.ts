/** The debt of a user for deposits that their network took back. */
import { useQuery } from '@tanstack/react-query'
import { asNumber, asRecord } from '../http/reading.ts'

/** The dollars owed, from the look-up that each session makes. Zero for almost everybody. */
export const useOwes = (username: string | undefined): number => {
  const { data } = useQuery({ queryKey: ['session', username], enabled: false })
  return asNumber(asRecord(asRecord(data)?.data)?.owes) ?? 0
}
