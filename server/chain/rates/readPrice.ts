import { MEDIAN_SECONDS, type Rate, rateFrom } from '@pool/contract/chain/rates'
import type { PriceUrl } from '../../base/configuration/priceUrls.ts'

/** Time limit of one source. */
const TIMEOUT_MS = 5_000
/** Most bytes of its answer. */
const MOST_BYTES = 256 * 1_024
/** Seconds by which the clock of a source may be ahead. */
const AHEAD_SECONDS = 30

type PriceReading = {
  readonly now: Date
  readonly stopping: AbortSignal
  readonly timeoutMs?: number
}

/**
 * The price that a URL answers with, exactly as written. Null when it is older than two minutes,
 * cannot be read, redirects, is too long or too slow.
 */
export const readPrice = async (
  { url, price, at }: PriceUrl,
  { now, stopping, timeoutMs = TIMEOUT_MS }: PriceReading,
): Promise<Rate | null> => {
  try {
    const response = await fetch(url, {
      // Another host than the operator's choice would name the price.
      redirect: 'error',
      headers: { accept: 'application/json' },
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), stopping]),
    })
    const text = response.ok ? await readText(response) : null
    if (text === null) return null
    const answer = parse(text)
    const moment = at ? momentFrom(valueAt(answer, at)) : momentOf(response.headers, now)
    const age = (now.getTime() - moment) / 1_000
    if (!(age <= MEDIAN_SECONDS && age >= -AHEAD_SECONDS)) return null
    const found = valueAt(answer, price)
    return typeof found === 'string' ? rateFrom(found) : null
  } catch {
    return null
  }
}

/** The text of an answer. Null for one that is too long, which ends its connection. */
const readText = async ({ body }: Response): Promise<string | null> => {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > MOST_BYTES) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Reads JSON with its numbers as they were written, since a float would round a price. */
const parse = (text: string): unknown => {
  const asWritten = (_: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? context?.source : value
  return JSON.parse(text, asWritten)
}

const valueAt = (answer: unknown, way: readonly string[]): unknown => {
  let value = answer
  for (const name of way) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

/** The oldest moment that the headers of an answer tell, for a source without one of its own. */
const momentOf = (headers: Headers, now: Date): number => {
  const dates = ['date', 'last-modified'].map((name) => Date.parse(headers.get(name) ?? ''))
  const known = dates.filter((each) => !Number.isNaN(each))
  const age = Number(headers.get('age') ?? 0) * 1_000
  // A clock that is ahead makes no price younger.
  return Math.min(now.getTime() - age, ...known)
}

/** Milliseconds of a moment: seconds or milliseconds since 1970, or a date. NaN for none. */
const momentFrom = (value: unknown): number => {
  if (typeof value !== 'string') return Number.NaN
  const number = Number(value)
  if (Number.isNaN(number)) return Date.parse(value)
  return number < 100_000_000_000 ? number * 1_000 : number
}
