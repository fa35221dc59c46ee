/** Reads typed dollars, in the reader's notation and in that of the screens. */
import { formatDollars } from '@pool/contract/base/money'
import { locale } from './language.ts'

/** The sign between dollars and cents. */
type Mark = '.' | ','

/** The reader's own mark: a comma in Spain and Argentina, a point in the US and Mexico. */
const ownMark = (): Mark => (new Intl.NumberFormat(locale()).format(0.5).includes(',') ? ',' : '.')

/** Full-width forms of signs and digits, as keyboards of East Asia type them. */
const FULL_WIDTH = /[\uff04\uff0b-\uff0e\uff10-\uff19]/g
/** Pasted text often begins or ends with these. */
const ENDS = /^[\s\u200b\u200e\u200f]+|[\s\u200b\u200e\u200f]+$/g

const simplified = (typed: string): string =>
  // A draft of an older version of the app holds a number.
  String(typed)
    .replace(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/\u2212/g, '-')
    .replace(ENDS, '')
    .replace(/[\u00a0\u2009\u202f]/g, ' ')

const SIGNED = /^([+-]?) ?(?:US ?\$|USD|\$)? ?([+-]?)(\d[\d., ]*|[.,]\d+) ?(?:US ?\$|USD|\$)?$/i
/** Groups of three, all behind the same sign. Cents come behind the other one. */
const GROUPED = /^[1-9]\d{0,2}([ .,])\d{3}((?:\1\d{3})*)(?:(?!\1)([.,])\d{0,2})?$/
const PLAIN = /^\d*(?:([.,])\d{0,2})?$/

/** True for a number with a single meaning to this reader. */
const isClear = (number: string, own: Mark): boolean => {
  const plain = PLAIN.exec(number)
  // Screens write cents behind a point, so every reader may.
  if (plain) return plain[1] !== ',' || own === ','
  const [, group, more, mark] = GROUPED.exec(number) ?? []
  // A single group without cents may be three decimals.
  return group !== undefined && (group !== own || more !== '' || mark !== undefined)
}

/**
 * The typed dollars; undefined for an empty field, NaN for a text that is no amount or could be two
 * (docs/product.md 11.2).
 */
export const readDollars = (typed: string, own: Mark = ownMark()): number | undefined => {
  const text = simplified(typed)
  if (text === '') return undefined
  const [, before = '', after = '', rest = ''] = SIGNED.exec(text) ?? []
  const number = rest.trim()
  if (number === '' || (before && after) || !isClear(number, own)) return Number.NaN
  const [, whole = '', cents = ''] = /^(.*?)(?:[.,](\d{0,2}))?$/.exec(number) ?? []
  return Number(`${before}${after}${whole.replace(/\D/g, '') || '0'}.${cents || '0'}`)
}

/** Dollars as an amount field shows them: `1,234.50`. Every reader's notation reads it back. */
export const dollarsText = (dollars: number): string => formatDollars(dollars).replace('$', '')
