/** The JSON file that PRICE_URLS names, with the URLs of the prices of each coin. */
import { readFileSync } from 'node:fs'
import { type Coin, coins } from '@pool/contract/base/assets'
import { FEWEST_SOURCES } from '@pool/contract/chain/rates'
import { z } from 'zod'

/** A price in the JSON that a URL answers with. */
export type PriceUrl = {
  readonly url: string
  /** The way to the price in dollars. */
  readonly price: readonly string[]
  /** The way to its moment. Without one the oldest header of the answer counts. */
  readonly at?: readonly string[] | undefined
}

export type PriceUrls = Readonly<Partial<Record<Coin, readonly PriceUrl[]>>>

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

const isSafe = (text: string): boolean => {
  const url = URL.parse(text)
  if (!url || url.username || url.password) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.includes(url.hostname))
}

/** Names and numbers with dots between them, as `result.pairs.0.price`, or a list of them. */
const way = z
  .union([
    z
      .string()
      .min(1)
      .transform((text) => text.split('.')),
    z.array(z.string().min(1)).min(1),
  ])
  .readonly()

const urlSchema = z.strictObject({
  url: z.string().refine(isSafe, 'must be an https:// URL without a password'),
  price: way,
  at: way.optional(),
})

const fileSchema = z.partialRecord(
  z.enum(coins),
  z
    .array(urlSchema)
    .refine(
      (urls) => new Set(urls.map(({ url }) => URL.parse(url)?.host)).size === urls.length,
      'must name each host once',
    )
    .refine((urls) => urls.length >= FEWEST_SOURCES, `must have at least ${FEWEST_SOURCES} URLs`),
)

/** Reads the file of price URLs. Each fault is a sentence without its subject. */
export const readPriceUrls = (
  path: string,
): { readonly urls: PriceUrls } | { readonly faults: readonly string[] } => {
  try {
    const read = fileSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')))
    if (read.success) return { urls: read.data }
    return {
      faults: read.error.issues.map(
        ({ path: at, message }) =>
          `names a file with a fault: ${[at.join('.'), message].filter(Boolean).join(' ')}`,
      ),
    }
  } catch {
    return { faults: ['must be the path of a JSON file that the product can read'] }
  }
}
