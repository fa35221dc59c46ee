import { health } from '@pool/contract/health'
import { connection } from '@pool/contract/messages'
import { HEALTH_TIMEOUT_MS } from '@pool/contract/session'
import { call } from './client.ts'
import { messageOf } from './errors.ts'

type Health = { readonly success: boolean; readonly message: string }

/** Whether the server and its database answer within 3 s. Never throws: a server that is away is an answer (spec §8). */
export const checkHealth = async (): Promise<Health> => {
  try {
    const { message } = await call(health, { timeoutMs: HEALTH_TIMEOUT_MS, texts: { otherwise: connection.refused } })
    return { success: true, message }
  } catch (error) {
    return { success: false, message: messageOf(error, connection.refused) }
  }
}
