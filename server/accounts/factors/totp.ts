/** Codes of authenticator apps (RFC 6238): HMAC-SHA-1, six digits, a new code every 30 seconds. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { unified } from '@pool/contract/base/fields'

const STEP_SECONDS = 30
const DIGITS = 6

/** Number of the 30 seconds that hold this moment, counted from 1970. */
export const stepAt = (seconds: number): number => Math.floor(seconds / STEP_SECONDS)

/** The code of a step. */
export const codeAt = (secret: Buffer, step: number, digits = DIGITS): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

/** The step of a code, at most one step from `now`: a phone's clock may differ. */
export const stepOf = (secret: Buffer, code: string, now: number): number | undefined => {
  // Some keyboards type digits in full width.
  const given = Buffer.from(unified(code).replaceAll(/\s/g, ''))
  return [now, now - 1, now + 1].find((step) => {
    const right = Buffer.from(codeAt(secret, step))
    return given.length === right.length && timingSafeEqual(given, right)
  })
}
