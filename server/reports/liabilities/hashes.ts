/** The hashes of the tree (docs/liabilities.md). Each begins with its own words. */
import { createHash, hash } from 'node:crypto'
import { CENTS_LIMIT, type OwedPart, owedParts } from '@pool/contract/reports/liabilities'
import type { Keys } from '../../base/keys/keys.ts'
import type { Owed } from '../../ledger/sums/owed.ts'

const words = (kind: string, version = 1) => Buffer.from(`pool liability ${kind} v${version}\n`)
const [ACCOUNT, SALT, LEAF, PADDING, NODE] = [
  words('account'),
  words('salt'),
  words('leaf'),
  words('padding'),
  words('node'),
]
const [PART_SALT, PLACES, CUTS] = [words('salt', 2), words('places', 2), words('cuts', 2)]

// By way of text: Node makes a small buffer of a digest three times as slowly.
const digestOf = (...parts: readonly Buffer[]): Buffer =>
  Buffer.from(hash('sha256', Buffer.concat(parts), 'binary'), 'binary')

/** A hash with the cents below it. */
export type Node = { readonly hash: Buffer; readonly sum: bigint }

/** Throws a range error for cents that are negative or do not fit in 63 bits. */
export const checkedCents = (cents: bigint): bigint => {
  if (cents < 0n || cents >= CENTS_LIMIT)
    throw new RangeError(`${cents} cents are no amount of the tree`)
  return cents
}

/** Amounts of 8 bytes each. */
const bytesOf = (...amounts: readonly bigint[]): Buffer => {
  const bytes = Buffer.allocUnsafe(8 * amounts.length)
  let at = 0
  for (const cents of amounts) at = bytes.writeBigUInt64BE(checkedCents(cents), at)
  return bytes
}

const sumOf = (owed: Record<OwedPart, bigint>): bigint =>
  checkedCents(owedParts.reduce((sum, part) => sum + owed[part], 0n))

const accountDigest = (userId: string): Buffer => digestOf(ACCOUNT, Buffer.from(userId))

/** The secret of a day, which the key file alone leads to. Throws without that key. */
export const seedOf = (keys: Pick<Keys, 'sign'>, day: string, keyId: string): Buffer =>
  Buffer.from(keys.sign('liability salts', day, keyId).slice(-64), 'hex')

/** The salt of an investor's one leaf of a day, in files of version 1. */
export const saltOf = (seed: Buffer, userId: string): Buffer =>
  digestOf(SALT, seed, accountDigest(userId))

/** The salt of a part of an investor, from zero on. */
export const partSaltOf = (seed: Buffer, userId: string, part: number): Buffer =>
  digestOf(PART_SALT, seed, accountDigest(userId), Buffer.of(part))

/** The key of the cipher that draws the places of a day. */
export const placesKeyOf = (seed: Buffer): Buffer => digestOf(PLACES, seed)

/**
 * The cents at which what an investor is owed is cut into parts, in order. Each cut leaves cents on
 * both sides, from two cents on. At most nine parts.
 */
export const cutsOf = (
  seed: Buffer,
  userId: string,
  { sum, parts }: { readonly sum: bigint; readonly parts: number },
): readonly bigint[] => {
  const random = createHash('sha512').update(CUTS).update(seed).update(accountDigest(userId))
  const bytes = random.digest()
  return Array.from({ length: parts - 1 }, (_, at) =>
    sum < 2n ? sum : 1n + (bytes.readBigUInt64BE(at * 8) % (sum - 1n)),
  ).sort((one, other) => (one < other ? -1 : 1))
}

/** A leaf of an investor. `day` is ISO text. */
export const leafOf = (
  day: string,
  { userId, ...owed }: Owed & { readonly userId: string },
  salt: Buffer,
): Node => {
  const amounts = bytesOf(...owedParts.map((part) => owed[part]))
  return {
    hash: digestOf(LEAF, Buffer.from(day), accountDigest(userId), amounts, salt),
    sum: sumOf(owed),
  }
}

/** A leaf without an investor. Only the seed tells it from one of an investor without money. */
export const paddingOf = (seed: Buffer, place: number): Node => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(place)
  return { hash: digestOf(PADDING, seed, bytes), sum: 0n }
}

/** The node above two others. Throws a range error when their sum does not fit. */
export const above = (left: Node, right: Node): Node => ({
  hash: digestOf(NODE, left.hash, bytesOf(left.sum), right.hash, bytesOf(right.sum)),
  sum: checkedCents(left.sum + right.sum),
})
