/** Dollars and moments as they are on paper, the same in each language. */

/** `-1234.50` becomes `-1,234.50`. */
export const amountText = (dollars: string): string => dollars.replace(/\B(?=(\d{3})+\.)/g, ',')

/** `2026-01-31 12:30` of an ISO moment in UTC. */
export const momentText = (iso: string): string => iso.slice(0, 16).replace('T', ' ')
