import { IDLE_LOGOUT_MS, IDLE_WARNING_MS } from '@pool/contract/accounts/session'
import { expect, test } from 'vitest'
import { secondsLeft } from './idle.ts'

test.each([
  [0, null],
  [IDLE_LOGOUT_MS - IDLE_WARNING_MS - 1, null],
  [IDLE_LOGOUT_MS - IDLE_WARNING_MS, 30],
  [IDLE_LOGOUT_MS - 29_001, 30],
  [IDLE_LOGOUT_MS - 1, 1],
  [IDLE_LOGOUT_MS, 0],
  [IDLE_LOGOUT_MS * 100, 0],
])('%i idle milliseconds leave %j seconds', (idle, left) =>
  expect(secondsLeft(1_000_000, 1_000_000 + idle)).toBe(left),
)
