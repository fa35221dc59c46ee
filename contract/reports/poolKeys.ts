import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'

/** Public keys that sign the pool's files (docs/verifying.md). */

/** 32 bytes in base64url. */
const publicKeySchema = z.string().regex(/^[\w-]{43}$/)

const poolKeySchema = z.object({
  id: z.string().regex(/^[0-9a-f]{8}$/),
  algorithm: z.literal('Ed25519'),
  publicKey: publicKeySchema,
  /** The moment at which the pool began to sign with it, and the one at which the next key did. */
  from: z.iso.datetime(),
  to: z.iso.datetime().nullable(),
  /** True once others may have it: its signatures prove nothing. */
  leaked: z.boolean(),
})
export type PoolKey = z.infer<typeof poolKeySchema>

/** The form of the document. Another form gets the next number. */
export const poolKeysSchema = z.object({ version: z.literal(1), keys: z.array(poolKeySchema) })
export type PoolKeys = z.infer<typeof poolKeysSchema>

export const poolKeys = {
  method: 'GET',
  path: '/.well-known/pool-keys.json',
  access: 'public',
  summary: "The public keys that sign the pool's files, the newest first, without an envelope",
  downloads: 'application/json',
  maxAgeSeconds: 300,
  body: poolKeysSchema,
} as const satisfies Endpoint

/** A signature of a file. */
export const signatureSchema = z.object({
  keyId: z.string().regex(/^[0-9a-f]{8}$/),
  /** 64 bytes in base64url, of {@link signedText}. */
  signature: z.string().regex(/^[\w-]{86}$/),
})
export type FileSignature = z.infer<typeof signatureSchema>

/** The text that is signed for a file: its name, and its SHA-256 in hex. */
export const signedText = ({
  name,
  digest,
}: {
  readonly name: string
  readonly digest: string
}): string => `pool file v1\n${name}\n${digest}\n`
