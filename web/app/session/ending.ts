/** Why the session of this tab ended without its user's wish. The sign-in page says it. */
import { asRecord, asText } from '../api/http/reading.ts'

/** `refused` has the sentence of the server. */
export type Ending = {
  readonly why: 'idle' | 'elsewhere' | 'cleared' | 'refused'
  readonly said: string
}

const KEY = 'ending'
const reasons = ['idle', 'elsewhere', 'cleared', 'refused'] as const

export const noteEnding = (why: Ending['why'], said = ''): void => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ why, said }))
  } catch {
    // Without storage the sign-in page says nothing.
  }
}

export const forgetEnding = (): void => {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // There is nothing to forget.
  }
}

export const readEnding = (): Ending | null => {
  try {
    const noted = asRecord(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'))
    const why = reasons.find((reason) => reason === noted?.why)
    return why ? { why, said: asText(noted?.said) ?? '' } : null
  } catch {
    return null
  }
}
