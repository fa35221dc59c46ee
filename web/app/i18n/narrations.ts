import type { RefusalCode } from '@pool/contract/refusals'
import { firstApproval, refusals } from './en/narrations.ts'

type Details = Readonly<Record<string, unknown>>

/** The sentence for a refusal in the language of the build; undefined where the server's own stands. */
export const refusalText = (code: string | null, details: Details | null): string | undefined => {
  if (!refusals || code === null || !Object.hasOwn(refusals, code)) return undefined
  const text = refusals[code as RefusalCode] as string | ((details: Details) => string | undefined)
  if (typeof text === 'string') return text
  return details ? text(details) : undefined
}

/** The same for an approval that was not the last. */
export const firstApprovalText = (narration: string): string => firstApproval ?? narration
