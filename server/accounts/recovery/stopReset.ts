/**
 * Resets of lost second factors that wait or rest (docs/decisions/034). Every change of one holds
 * the user's row, so that of an approval and a proof at once, one is first.
 */
import { type Language, languages } from '@pool/contract/base/languages'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import type { MailContext } from '../mail/send.ts'
import { recordFactorChange } from './recordFactorChange.ts'

type OfUser = { readonly userId: string; readonly by: Actor }

/** The language of the owner's latest sign-in, for mails that others cause. */
export const languageOf = async (db: Kysely<Schema>, userId: string): Promise<Language> => {
  const device = await db
    .selectFrom('known_devices')
    .select('language')
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return languages.find((language) => language === device?.language) ?? languages[0]
}

type Step = OfUser & {
  readonly change: 'resetAsked' | 'resetApproved' | 'resetStopped'
  /** Of an approved reset: the moment from which it has effect. */
  readonly restsUntil?: Date | null
  readonly reason?: string
}

/** Records a step of a reset, and tells the owner. */
export const recordReset = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { restsUntil, ...step }: Step,
): Promise<void> => {
  const until = restsUntil?.toISOString()
  await recordFactorChange(transaction, context, {
    ...step,
    language: await languageOf(transaction, step.userId),
    action: `factor.${step.change}`,
    restsUntil: until ?? null,
    ...(until && { after: { restsUntil: until } }),
  })
}

/** True for the reset of a user that waits or rests. */
export const isOpenReset = (userId: string): RawBuilder<boolean> =>
  sql<boolean>`kind = 'RESET_FACTORS' AND subject = ${userId} AND ended_at IS NULL`

/** Stops a user's reset that waits or rests, and tells the owner. */
export const stopReset = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { userId, by }: OfUser,
): Promise<void> => {
  const { numUpdatedRows } = await transaction
    .updateTable('proposals')
    .set({ status: 'STOPPED', ended_at: sql<Date>`now()` })
    .where(isOpenReset(userId))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n)
    await recordReset(transaction, context, { userId, by, change: 'resetStopped' })
}
