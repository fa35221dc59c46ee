import { createHash, randomBytes } from 'node:crypto'
import { RECOVERY_CODES } from '@pool/contract/accounts/factors'
import { unified } from '@pool/contract/base/fields'
import { base32nopad } from '@scure/base'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** 120 random bits, 24 letters and digits. From 112 on, a plain digest keeps them. */
const CODE_BYTES = 15

const normalized = (code: string): string =>
  unified(code)
    .toUpperCase()
    .replaceAll(/[^A-Z2-7]/g, '')

/** The user's id makes equal codes of two users differ. */
const digestOf = (userId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${userId} ${normalized(code)}`)
    .digest()

const newCode = (): string =>
  (base32nopad.encode(randomBytes(CODE_BYTES)).match(/.{4}/g) ?? []).join('-')

/** Replaces a user's recovery codes. Returns the new ones, which are stored as digests alone. */
export const renewCodes = async (db: Kysely<Schema>, userId: string): Promise<string[]> => {
  await forgetCodes(db, userId)
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ digest: digestOf(userId, code), user_id: userId })))
    .execute()
  return codes
}

export const forgetCodes = async (db: Kysely<Schema>, userId: string): Promise<void> => {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/**
 * Uses a code. Returns the moment of its making. Undefined for a wrong one, and for the second of
 * two uses.
 */
export const useCode = async (
  db: Kysely<Schema>,
  userId: string,
  code: string,
): Promise<Date | undefined> => {
  const used = await db
    .updateTable('recovery_codes')
    .set({ used_at: sql<Date>`now()` })
    .where('digest', '=', digestOf(userId, code))
    .where('used_at', 'is', null)
    .returning('created_at')
    .executeTakeFirst()
  return used?.created_at
}
