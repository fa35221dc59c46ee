import { useRef } from 'react'
import { isOutcomeUnknown } from './errors.ts'

/** `crypto.randomUUID` exists on secure origins only; a product served over plain HTTP in a local network still needs keys. */
const newKey = (): string =>
  typeof crypto.randomUUID === 'function'
    ? crypto.randomUUID()
    : Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Sends a money call with an idempotency key (design §5). Submitting the same payload again after an attempt of which
 * nobody knows what became of it repeats that attempt's key, so it cannot move money twice; a definite answer, yes or
 * no, retires the key.
 */
export const useMoneyCall = <Payload, Result>(send: (payload: Payload, idempotencyKey: string) => Promise<Result>) => {
  const open = useRef(new Map<string, string>())
  return async (payload: Payload): Promise<Result> => {
    const submit = JSON.stringify(payload)
    const key = open.current.get(submit) ?? newKey()
    open.current.set(submit, key)
    try {
      const result = await send(payload, key)
      open.current.delete(submit)
      return result
    } catch (error) {
      if (!isOutcomeUnknown(error)) open.current.delete(submit)
      throw error
    }
  }
}
