/** The payments to the address of a deposit, as the operator's nodes show them. */
import type { DepositPayment as Contract } from '@pool/contract/coins/payments'
import { asNumber, list, record, type Shape } from '../http/reading.ts'
import { sharedFields } from './paymentFields.ts'

const read = record({ ...sharedFields, dollars: asNumber } satisfies Shape<Contract>)

/** A payment as the screen shows it. Its dollars are null where no rate counts. */
export type DepositPayment = ReturnType<typeof read>

/** Reads the payments of a story. Null without a node of the network. */
export const asPayments = (value: unknown): readonly DepositPayment[] | null =>
  Array.isArray(value) ? list(read)(value) : null
