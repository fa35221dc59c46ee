/** The payment of a withdrawal in coins, as its batch and the operator's nodes tell it. */
import type { CoinPayout as Contract } from '@pool/contract/coins/payouts'
import { asMoment, asNumber, asRecord, asText, or, record, type Shape } from '../http/reading.ts'

const payment = record({
  transaction: or(asText, ''),
  state: or(asText, ''),
  depth: asNumber,
  needed: asNumber,
  seenAt: asMoment,
  confirmedAt: asMoment,
} satisfies Shape<NonNullable<Contract['payment']>>)

const read = record({
  network: or(asText, ''),
  asset: or(asText, ''),
  amount: or(asText, ''),
  rate: or(asText, ''),
  rateAt: asMoment,
  payment: (value) => asRecord(value) && payment(value),
} satisfies Shape<Contract>)

/** A payout as the screen shows it. Its payment is null while no transaction pays it. */
export type CoinPayout = ReturnType<typeof read>

/** Reads the payout of a story. Null while no batch has the withdrawal. */
export const asCoinPayout = (value: unknown): CoinPayout | null => asRecord(value) && read(value)
