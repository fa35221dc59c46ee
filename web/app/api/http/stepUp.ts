/** Second factors that calls ask for. The shell shows the dialog, and the call goes on after it. */
import type { ApiError } from './errors.ts'

/** The refusal of a call, and the way to go on or to give up. */
export type ProofRequest = {
  readonly error: ApiError
  readonly settle: (isProven: boolean) => void
}

let show: ((asked: ProofRequest | null) => void) | undefined
let pending: Promise<boolean> | undefined

/** Shows a dialog with `next`, and closes it with null. */
export const onFactorAsked = (next: typeof show): void => {
  show = next
}

/** Resolves once the user has proven a factor, with false when they gave up. */
export const askFactor = (error: ApiError): Promise<boolean> => {
  pending ??= new Promise<boolean>((settle) => show?.({ error, settle })).finally(() => {
    pending = undefined
    show?.(null)
  })
  return pending
}
