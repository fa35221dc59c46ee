import type { Dollars } from '@pool/contract/base/csv'

/** The cell of an amount in an export; null for one that was not sent. */
export const dollarsCell = (dollars: number | null): Dollars | null =>
  dollars === null ? null : { dollars }
