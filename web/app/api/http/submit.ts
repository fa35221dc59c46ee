import { useRef } from 'react'
import { isOutcomeUnknown } from './errors.ts'

/** `crypto.randomUUID` needs a secure origin. A local network over plain HTTP needs keys too. */
const newKey = (): string =>
  typeof crypto.randomUUID === 'function'
    ? crypto.randomUUID()
    : Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join('')

type Attempt<Result> = { readonly key: string; underWay: Promise<Result> | null }

/**
 * Sends each submit with an idempotency key (docs/product.md 4.8). The same payload joins a running
 * attempt, and after an unknown outcome it reuses the key. A definite response retires the key.
 */
export const submitter = <Payload, Result>(
  send: (payload: Payload, idempotencyKey: string) => Promise<Result>,
) => {
  const attempts = new Map<string, Attempt<Result>>()

  const attempt = async (payload: Payload, submit: string, key: string): Promise<Result> => {
    try {
      const result = await send(payload, key)
      attempts.delete(submit)
      return result
    } catch (error) {
      if (isOutcomeUnknown(error)) attempts.set(submit, { key, underWay: null })
      else attempts.delete(submit)
      throw error
    }
  }

  return (payload: Payload): Promise<Result> => {
    const submit = JSON.stringify(payload)
    const { key, underWay } = attempts.get(submit) ?? { key: newKey(), underWay: null }
    if (underWay) return underWay
    const started = attempt(payload, submit, key)
    attempts.set(submit, { key, underWay: started })
    return started
  }
}

/** A {@link submitter} that lives as long as the component. */
export const useSubmit = <Payload, Result>(
  send: (payload: Payload, idempotencyKey: string) => Promise<Result>,
) => {
  const submit = useRef<((payload: Payload) => Promise<Result>) | null>(null)
  submit.current ??= submitter(send)
  return submit.current
}
