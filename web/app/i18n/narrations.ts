import type { RefusalCode } from '@pool/contract/base/refusals'
import { firstApproval, refusals } from './en/narrations.ts'

type Details = Readonly<Record<string, unknown>>

/** A refusal in the language of the build; undefined keeps the server's sentence. */
export const refusalText = (code: string | null, details: Details | null): string | undefined => {
  if (!refusals || code === null || !Object.hasOwn(refusals, code)) return undefined
  const text = refusals[code as RefusalCode] as string | ((details: Details) => string | undefined)
  if (typeof text === 'string') return text
  return details ? text(details) : undefined
}

/** The narration of an approval that was not the last. */
export const firstApprovalText = (narration: string): string => firstApproval ?? narration
