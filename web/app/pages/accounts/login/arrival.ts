/** The state that registration passes to the sign-in page (docs/product.md 3.4). */
export type Arrival = { readonly message: string; readonly email: string }

/** Reads a navigation's state of any shape; null without a message. */
export const readArrival = (state: unknown): Arrival | null => {
  if (
    typeof state !== 'object' ||
    state === null ||
    !('message' in state) ||
    typeof state.message !== 'string'
  )
    return null
  return {
    message: state.message,
    email: 'email' in state && typeof state.email === 'string' ? state.email : '',
  }
}
