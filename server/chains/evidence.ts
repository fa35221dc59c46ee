/**
 * The id of a transaction on a network's chain, which a deposit's confirmation rests on
 * (docs/threats.md T7).
 */

const HEX = /^[0-9a-f]{64}$/
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** 64 hexadecimal digits; on Ethereum and its kin they are written with 0x before them. */
const hex =
  (prefix: string) =>
  (text: string): string | undefined => {
    const digits = text.toLowerCase().replace(/^0x/, '')
    return HEX.test(digits) ? prefix + digits : undefined
  }

/** A signature of 64 bytes in base 58, where capitals and small letters differ. */
const signature = (text: string): string | undefined => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text)) return undefined
  const value = [...text].reduce((sum, letter) => sum * 58n + BigInt(BASE58.indexOf(letter)), 0n)
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return zeros + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)) === 64
    ? text
    : undefined
}

const forms: Readonly<Record<string, (text: string) => string | undefined>> = {
  Bitcoin: hex(''),
  Ethereum: hex('0x'),
  'Binance Smart Chain': hex('0x'),
  Polygon: hex('0x'),
  Solana: signature,
}

/**
 * The one way to write a transaction's id on this network, so that it cannot be given twice in
 * different letters; undefined when it is none.
 */
export const canonicalEvidence = (networkName: string, text: string): string | undefined =>
  forms[networkName]?.(text.trim())
