/** An amount in an export, written with two decimals and its sign. */
export type Dollars = { readonly dollars: number }

/** The cell of an amount; null for one that was not sent. */
export const dollarsCell = (dollars: number | null): Dollars | null =>
  dollars === null ? null : { dollars }
