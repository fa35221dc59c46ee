/** The parts of the balance on offer, in percent. */
export const shares = [25, 50, 75, 100] as const

/** A share of the balance in dollars, rounded down to the cent. */
export const shareOf = (balance: number, percent: number): number =>
  Math.floor((Math.round(balance * 100) * percent) / 100) / 100
