/** Signatures that everybody can check (docs/decisions/067). */
import { createPublicKey, verify } from 'node:crypto'
import { type FileSignature, type PoolKeys, signedText } from '@pool/contract/reports/poolKeys'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import type { WithKeys } from '../../http/context.ts'
import { type OnRecord, record, SYSTEM } from './record.ts'

/** Puts the newest key on record once. The audit trail tells the same, signed. */
export const publishKey = ({ db, keys }: OnRecord): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const [newest] = keys.publicKeys
    if (!newest) return
    const { id, publicKey } = newest
    const known = await transaction
      .selectFrom('signing_keys')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (known) return
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('signing_keys')
      .values({ id, public_key: publicKey })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) return
    await record(transaction, keys, {
      by: SYSTEM,
      action: 'signingKey.published',
      subject: { type: 'signingKey', id },
      after: { publicKey },
    })
  })

type NamedFile = { readonly name: string; readonly digest: string }

/** Signs a file with a key that is on record already. */
export const signPublished = (keys: Pick<Keys, 'signPublicly'>, file: NamedFile): FileSignature =>
  keys.signPublicly(signedText(file))

/** True for a right signature by a key of the file that did not leak. */
export const isSignedBy = (
  { publicKeys }: Pick<Keys, 'publicKeys'>,
  file: NamedFile,
  { keyId, signature }: FileSignature,
): boolean => {
  const key = publicKeys.find(({ id, isLeaked }) => id === keyId && !isLeaked)
  if (!key) return false
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: key.publicKey },
    format: 'jwk',
  })
  return verify(null, Buffer.from(signedText(file)), publicKey, Buffer.from(signature, 'base64url'))
}

/**
 * Signs a file by its name and its SHA-256 in hex, as docs/verifying.md tells everybody to check
 * it. The first signature of a key puts it on record.
 */
export const signFile = async (context: OnRecord, file: NamedFile): Promise<FileSignature> => {
  await publishKey(context)
  return signPublished(context.keys, file)
}

/**
 * The keys of the file that were put on record, newest first. A row without a key of the file, or
 * with another public key, is left out: the database alone vouches for none.
 */
export const readPoolKeys = async ({
  db,
  keys,
}: WithKeys & { readonly db: Kysely<Schema> }): Promise<PoolKeys> => {
  const rows = await db
    .selectFrom('signing_keys')
    .select(['id', 'public_key', 'published_at'])
    .orderBy('published_at', 'desc')
    .execute()
  const known = rows.flatMap(({ id, public_key, published_at }) => {
    const key = keys.publicKeys.find((each) => each.id === id && each.publicKey === public_key)
    return key ? [{ ...key, from: published_at.toISOString() }] : []
  })
  return {
    version: 1,
    keys: known.map(({ id, publicKey, from, isLeaked }, place) => ({
      id,
      algorithm: 'Ed25519' as const,
      publicKey,
      from,
      to: known[place - 1]?.from ?? null,
      leaked: isLeaked,
    })),
  }
}
