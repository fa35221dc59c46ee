/** Dollars in decimal text, in figures for people: `$64,123.45`. Keeps every decimal. */
export const rateText = (dollars: string): string => {
  const [whole = '', decimals] = dollars.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `$${grouped}${decimals === undefined ? '' : `.${decimals}`}`
}
