import type { Quote as Contract } from '@pool/contract/chain/quotes'
import { rateSources } from '@pool/contract/chain/rateSources'
import { asMoment, asRecord, asText, oneOf, record, type Shape } from '../http/reading.ts'

const fields = record({
  coin: asText,
  amount: asText,
  units: asText,
  dollars: asText,
  source: oneOf(rateSources),
  at: asMoment,
  endsAt: asMoment,
} satisfies Shape<Contract>)

/** The coins to send for a deposit. */
export type Quote = {
  readonly coin: string
  readonly amount: string
  readonly units: string
  /** The rate: dollars for one coin. */
  readonly dollars: string
  readonly endsAt: Date
}

/** Reads a quote. Null without one, or for one that lacks a part. */
export const asQuote = (value: unknown): Quote | null => {
  const { coin, amount, units, dollars, endsAt } = fields(asRecord(value) ?? {})
  return coin && amount && units && dollars && endsAt
    ? { coin, amount, units, dollars, endsAt }
    : null
}
