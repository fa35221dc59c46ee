/**
 * Debts of the pool to its investors, in a Merkle sum tree of each day (docs/product.md 5.43).
 * docs/liabilities.md defines hashes and files. Amounts in files are cents, as decimal text.
 */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import { dollarsSchema } from '../base/money.ts'
import { daySchema, timestampSchema } from '../base/timestamp.ts'
import { signatureSchema } from './poolKeys.ts'

/** Amounts are below this many cents, so that they fit in 63 bits. */
export const CENTS_LIMIT = 2n ** 63n
/** Fewest leaves of a tree, so that a small pool tells no number of investors. */
export const FEWEST_LEAVES = 1_024
/** Days for which an investor can get the proof of a day. */
export const PROOF_DAYS = 30
/** Most files in the list. */
export const LIABILITIES_SIZE = 400

/** The parts of what an investor is owed, in the order of the leaf. */
export const owedParts = ['available', 'held', 'outgoing', 'invested', 'interest'] as const
export type OwedPart = (typeof owedParts)[number]

const centsText = z.string().regex(/^(0|[1-9]\d{0,18})$/)
const signedCentsText = z.string().regex(/^-?\d{1,19}$/)
const hashText = z.string().regex(/^[0-9a-f]{64}$/)

const dayShape = {
  day: z.iso.date(),
  /** The moment of the snapshot. */
  at: z.iso.datetime(),
  /** The hash at the top of the tree, in hex. */
  root: hashText,
  /** The sum of all leaves. */
  total: centsText,
  /** The number of leaves with the padding, a power of two. */
  leaves: z.number().int(),
}
const besideShape = {
  /** The coins of the pool in dollars, as its ledger counts them, in cents. */
  coins: signedCentsText,
  /** Principal that borrowers owe, in cents. */
  loans: centsText,
}

/**
 * The file of a day. Another form gets the next number: version 1 had a leaf for each investor, and
 * version 2 did not say what was typed.
 */
export const liabilitiesFileSchema = z.discriminatedUnion('version', [
  z.object({ version: z.literal(1), ...dayShape, ...besideShape }),
  z.object({
    version: z.literal(2),
    ...dayShape,
    /** The leaves of each investor. */
    parts: z.number().int(),
    ...besideShape,
  }),
  z.object({
    version: z.literal(3),
    ...dayShape,
    parts: z.number().int(),
    ...besideShape,
    /** The part of the coins that people typed and no node showed, in cents. */
    typed: signedCentsText,
  }),
])
export type LiabilitiesFile = z.infer<typeof liabilitiesFileSchema>

/** The name of the file of a day, in ISO text. It is signed. */
export const liabilitiesName = (day: string): string => `liabilities-${day}.json`

const listedSchema = z.object({
  day: daySchema,
  at: timestampSchema,
  name: z.string(),
  /** SHA-256 of the file, in hex. */
  digest: hashText,
  root: hashText,
  leaves: z.number().int(),
  total: dollarsSchema,
  coins: dollarsSchema,
  /** The part of the coins that people typed and no node showed. Null in files before version 3. */
  typed: dollarsSchema.nullable(),
  loans: dollarsSchema,
  signed: signatureSchema,
})
export type ListedLiabilities = z.infer<typeof listedSchema>

export const listLiabilities = {
  method: 'GET',
  path: '/api/v1/public/pool/liabilities',
  access: 'public',
  summary: `What the pool owed to its investors on each day: root and total of a Merkle sum tree, with coins and loans beside it, the newest ${LIABILITIES_SIZE}`,
  maxAgeSeconds: 10,
  body: z.array(listedSchema),
} as const satisfies Endpoint

export const readLiabilities = {
  method: 'GET',
  path: '/api/v1/public/pool/liabilities/{day}',
  access: 'public',
  summary:
    'The signed file of a day with root and total of what the pool owed, without an envelope',
  downloads: 'application/json',
  maxAgeSeconds: 3_600,
  params: z.object({ day: z.iso.date() }),
  body: liabilitiesFileSchema,
} as const satisfies Endpoint

const owedSchema = z.object({
  available: centsText,
  held: centsText,
  outgoing: centsText,
  invested: centsText,
  interest: centsText,
} satisfies Record<OwedPart, z.ZodType>)

const leafShape = {
  /** The leaf, counted from the left and from zero. */
  place: z.number().int(),
  owed: owedSchema,
  /** 32 bytes in hex. */
  salt: hashText,
  /** The other child of each node on the way, from the leaf to the root. */
  path: z.array(z.object({ hash: hashText, sum: centsText })),
}
const leafSchema = z.object(leafShape)
export type ShownLeaf = z.infer<typeof leafSchema>
const ownShape = {
  day: z.iso.date(),
  /** The id of the investor. */
  account: z.string(),
}
/** The signature of the day's file. */
const signedShape = { signed: signatureSchema }

/** An investor's leaves of a day with their paths to the root, by the version of its file. */
export const proofSchema = z.discriminatedUnion('version', [
  z.object({ version: z.literal(1), ...ownShape, ...leafShape, ...signedShape }),
  z.object({
    version: z.literal([2, 3]),
    ...ownShape,
    leaves: z.array(leafSchema),
    ...signedShape,
  }),
])
export type LiabilityProof = z.infer<typeof proofSchema>

/** The caller's own leaves: the call takes no user. */
export const readProof = {
  method: 'GET',
  path: '/api/v1/user/liabilities/{day}',
  access: 'user',
  summary: `What the caller was owed on a day, in parts, each with its path to that day's root, for ${PROOF_DAYS} days`,
  params: z.object({ day: z.iso.date() }),
  body: proofSchema,
} as const satisfies Endpoint
