/** The facts of a payment that investors and staff read. */
import type { DepositPayment, Payment } from '@pool/contract/coins/payments'
import { asMoment, asNumber, asText, or, type Shape } from '../http/reading.ts'

type Shared = Pick<Payment, Extract<keyof Payment, keyof DepositPayment>>

/** The readers of the fields that both lists have. */
export const sharedFields = {
  id: or(asText, ''),
  evidence: or(asText, ''),
  asset: or(asText, ''),
  amount: or(asText, ''),
  state: or(asText, ''),
  depth: asNumber,
  needed: asNumber,
  seenAt: asMoment,
} satisfies Shape<Shared>
