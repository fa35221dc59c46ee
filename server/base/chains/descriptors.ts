/** The checksum of output descriptors (BIP 380). */

const CHARACTERS =
  '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ '
const DIGITS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATOR = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn]

const polymod = (symbols: readonly number[]): bigint => {
  let sum = 1n
  for (const symbol of symbols) {
    const top = sum >> 35n
    sum = ((sum & 0x7ffffffffn) << 5n) ^ BigInt(symbol)
    for (const [bit, generator] of GENERATOR.entries())
      if ((top >> BigInt(bit)) & 1n) sum ^= generator
  }
  return sum
}

/** The eight characters after `#`. Undefined for a text with other characters. */
export const checksumOf = (descriptor: string): string | undefined => {
  const places = [...descriptor].map((character) => CHARACTERS.indexOf(character))
  if (places.includes(-1)) return undefined
  const symbols: number[] = []
  // Three groups of characters follow their places as one symbol.
  for (let at = 0; at < places.length; at += 3) {
    const three = places.slice(at, at + 3)
    symbols.push(...three.map((place) => place & 31))
    symbols.push(three.reduce((sum, place) => sum * 3 + (place >> 5), 0))
  }
  const sum = polymod([...symbols, ...Array<number>(8).fill(0)]) ^ 1n
  return Array.from(
    { length: 8 },
    (_, at) => DIGITS[Number((sum >> BigInt(5 * (7 - at))) & 31n)],
  ).join('')
}
