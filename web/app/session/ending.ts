/**
 * Why the session of this tab ended without its user's wish. The store alone notes it, so that a
 * reload finds it again.
 */
import { asRecord, asText } from '../api/http/reading.ts'
import { storedInTab } from '../storage.ts'

const reasons = ['idle', 'elsewhere', 'cleared', 'refused'] as const

/** `said` is a sentence of a call or of the server, if it has its own. */
export type Ending = { readonly why: (typeof reasons)[number]; readonly said: string }

/** Also written by theme/idle.js. */
const KEY = 'ending'

export const noteEnding = (ending: Ending): void => storedInTab.write(KEY, JSON.stringify(ending))

export const forgetEnding = (): void => storedInTab.remove(KEY)

export const readEnding = (): Ending | null => {
  try {
    const noted = asRecord(JSON.parse(storedInTab.read(KEY) ?? 'null'))
    const why = reasons.find((reason) => reason === noted?.why)
    return why ? { why, said: asText(noted?.said) ?? '' } : null
  } catch {
    return null
  }
}
