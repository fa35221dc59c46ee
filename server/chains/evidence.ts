/** Transaction ids on chain, the evidence of a deposit's confirmation (docs/threats.md T7). */

const HEX = /^[0-9a-f]{64}$/
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** 64 hexadecimal digits, after 0x on Ethereum, Binance Smart Chain and Polygon. */
const hex =
  (prefix: string) =>
  (text: string): string | undefined => {
    const digits = text.toLowerCase().replace(/^0x/, '')
    return HEX.test(digits) ? prefix + digits : undefined
  }

/** A 64-byte signature in base 58, which is case-sensitive. */
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
 * Canonical form of a transaction id, so that case cannot hide a repeat. Undefined when the id is
 * invalid on the network.
 */
export const canonicalEvidence = (networkName: string, text: string): string | undefined =>
  forms[networkName]?.(text.trim())
