/** The payments to the address of a deposit, as the operator's nodes show them. */
import type { DepositPayment as Contract } from '@pool/contract/payments'
import {
  asMoment,
  asNumber,
  asRecord,
  asText,
  list,
  or,
  record,
  type Shape,
} from './http/reading.ts'

const fields = record({
  evidence: or(asText, ''),
  asset: or(asText, ''),
  amount: or(asText, ''),
  state: or(asText, ''),
  depth: asNumber,
  needed: asNumber,
  seenAt: asMoment,
  dollars: asNumber,
} satisfies Shape<Contract>)

const read = (value: unknown) => ({ ...fields(value), id: asText(asRecord(value)?.id) ?? '' })

/** A payment as the screen shows it. Its dollars are null where no rate counts. */
export type DepositPayment = ReturnType<typeof read>

/** Reads the payments of a story. Null without a node of the network. */
export const asPayments = (value: unknown): readonly DepositPayment[] | null =>
  Array.isArray(value) ? list(read)(value) : null
