/**
 * The browser's storage, and the times that end a session, in milliseconds (docs/product.md
 * 8.4-8.6, 13).
 */
export const storageKeys = {
  token: 'token',
  username: 'username',
  userId: 'userId',
  role: 'userRole',
} as const

export const IDLE_LOGOUT_MS = 180_000
export const IDLE_WARNING_MS = 30_000
export const SESSION_CHECK_MS = 300_000
export const HEALTH_TIMEOUT_MS = 3_000
export const USER_LIST_TIMEOUT_MS = 10_000
export const COPY_CONFIRMATION_MS = 2_000

/** Events that reset the idle clock (docs/product.md 8.6). */
export const idleResettingEvents = [
  'mousedown',
  'mousemove',
  'keypress',
  // A shortcut's key is pressed, but makes no `keypress`.
  'keydown',
  'scroll',
  'touchstart',
  'click',
  'focus',
  'input',
  'change',
] as const
